import { expect, test } from 'vitest';
import { buildTestJson, placeInCase } from './test-json.ts';

const TEST = { id: 7, file: 'tests/"a" é.spec.ts', title: 'zahlt › "bar"', browser: null };

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

test('the pieces are JSON where they stand', () => {
  const { inList, nameInCase, browserInCase } = buildTestJson(TEST);
  expect(JSON.parse(`${textOf(inList)}"end":0}`)).toEqual({
    id: 7,
    filePath: TEST.file,
    title: TEST.title,
    browser: null,
    end: 0,
  });
  expect(JSON.parse(`{"start":0${textOf(nameInCase)}0${textOf(browserInCase)}0}`)).toEqual({
    start: 0,
    testId: 7,
    title: TEST.title,
    status: 0,
    browser: null,
    tags: 0,
  });
});

test('a place is that of the row, whichever was asked for before', () => {
  const json = buildTestJson(TEST);
  const places = [
    [3, 4],
    [3, 4],
    [3, NaN],
    [NaN, NaN],
    [NaN, NaN],
    [NaN, 4],
    [3, 5],
    [2, 5],
  ] as const;
  for (const [line, column] of places) {
    const at = Number.isNaN(line) ? '' : Number.isNaN(column) ? `:${line}` : `:${line}:${column}`;
    expect(JSON.parse(`{"start":0${textOf(placeInCase(json, line, column))}0}`)).toEqual({
      start: 0,
      location: `${TEST.file}${at}`,
      filePath: TEST.file,
      line: Number.isNaN(line) ? null : line,
      column: Number.isNaN(column) ? null : column,
      error: 0,
    });
  }
});
