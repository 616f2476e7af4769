import { expect, test } from 'vitest';
import { writeList, writeWithLists } from './json-pieces.ts';

async function* listsOf(...lists: (readonly unknown[])[]): AsyncGenerator<string> {
  for (const list of lists) yield JSON.stringify(list);
}

const written = async (pieces: AsyncIterable<string>): Promise<unknown> => {
  let json = '';
  for await (const piece of pieces) json += piece;
  return JSON.parse(json);
};

test.each([
  [[], []],
  [[[]], []],
  [
    [[], [1], [], [{ a: ']' }, '›'], []],
    [1, { a: ']' }, '›'],
  ],
])('the lists %j make one', async (lists, whole) => {
  expect(await written(writeList(listsOf(...lists)))).toEqual(whole);
});

test('an object has its own fields and those that are lists', async () => {
  const object = await written(writeWithLists({ id: 1 }, { empty: listsOf(), 'a "b"': listsOf([1], [2]) }));
  expect(object).toEqual({ id: 1, empty: [], 'a "b"': [1, 2] });
});
