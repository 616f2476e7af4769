import { expect, it } from 'vitest';
import { groupAttachments, idsOf, viewablesOf } from './group-attachments.ts';
import { sampleAttachment } from './sample-attachments.ts';

const picture = (id: number, name: string) => sampleAttachment(id, { name });
const text = (id: number, name: string) => sampleAttachment(id, { name, contentType: 'text/plain' });

it('joins expected, actual and diff into one comparison, with or without an extension', () => {
  const triple = [picture(1, 'home-expected.png'), picture(2, 'home-actual.png'), picture(3, 'home-diff.png')];
  const bare = [picture(4, 'cart-actual'), picture(5, 'cart-expected')];
  const { comparisons, media } = groupAttachments([...triple, picture(6, 'screenshot'), ...bare]);
  expect(comparisons).toEqual([
    { name: 'home', against: 'Expected', before: triple[0], actual: triple[1], diff: triple[2] },
    { name: 'cart', against: 'Expected', before: bare[1], actual: bare[0], diff: null },
  ]);
  expect(media.map(({ id }) => id)).toEqual([6]);
});

it('shows parts without their counterpart as pictures', () => {
  const { comparisons, media } = groupAttachments([picture(1, 'a-expected.png'), picture(2, 'b-actual.png')]);
  expect(comparisons).toEqual([]);
  expect(media.map(({ id }) => id)).toEqual([1, 2]);
});

it('compares with the picture before where none was expected, and shows that one apart where one was', () => {
  const unstable = [picture(1, 'a-previous.png'), picture(2, 'a-actual.png'), picture(3, 'a-diff.png')];
  expect(groupAttachments(unstable).comparisons).toMatchObject([{ against: 'Previous', diff: { id: 3 } }]);
  const both = groupAttachments([...unstable, picture(4, 'a-expected.png')]);
  expect(both.comparisons).toMatchObject([{ against: 'Expected', before: { id: 4 } }]);
  expect(both.media.map(({ id }) => id)).toEqual([1]);
});

it('keeps two comparisons of the same name apart', () => {
  const names = ['a-expected.png', 'a-actual.png', 'a-expected.png', 'a-actual.png'];
  const { comparisons } = groupAttachments(names.map((name, at) => picture(at + 1, name)));
  expect(comparisons.map(({ before, actual }) => [before.id, actual.id])).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

it('pairs texts with texts and pictures with pictures', () => {
  const grouped = groupAttachments([
    text(1, 'x-expected.txt'),
    picture(2, 'x-actual.png'),
    text(3, 'x-actual.txt'),
    text(4, 'x-diff.txt'),
    text(5, 'error-context.md'),
    sampleAttachment(6, { name: 'page.webm', contentType: 'video/webm' }),
    sampleAttachment(7, { name: 'core', contentType: 'application/octet-stream' }),
  ]);
  expect(grouped.textComparisons).toMatchObject([{ name: 'x', expected: { id: 1 }, actual: { id: 3 } }]);
  expect(grouped.comparisons).toEqual([]);
  expect(grouped.media.map(({ id }) => id)).toEqual([2, 6]);
  expect(grouped.texts.map(({ id }) => id)).toEqual([4, 5]);
  expect(grouped.files.map(({ id }) => id)).toEqual([7]);
});

it('opens a comparison by any of its parts', () => {
  const names = ['a-expected.png', 'a-actual.png', 'a-diff.png', 'shot.png'];
  const viewables = viewablesOf(groupAttachments(names.map((name, at) => picture(at + 1, name))));
  expect(viewables.map(idsOf)).toEqual([[4], [2, 1, 3]]);
});
