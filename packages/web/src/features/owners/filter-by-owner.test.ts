import { readFilterText, TEST_FIELDS } from '@assay/contract/filter';
import { expect, it } from 'vitest';
import { filterByOwner } from './filter-by-owner.ts';

const ALL = [['@web'], ['@web-core', '@acme/design'], ['ada@example.com'], ['@odd"owner\\'], ['@ünï'], []];

it.each<[string | null, readonly number[]]>([
  ['@web', [0]],
  ['@acme/design', [1]],
  ['ada@example.com', [2]],
  ['@odd"owner\\', [3]],
  ['@ünï', [4]],
  [null, [5]],
])('the filter of %s finds what it has and nothing else', (owner, found) => {
  const filter = readFilterText(filterByOwner(owner), TEST_FIELDS);
  if (!filter.ok) throw new Error(filter.issues[0]?.message);
  const rows = ALL.map((owners) => ({ title: '', file: '', owner: owners }));
  expect(rows.flatMap((row, nth) => (filter.predicate(row) ? [nth] : []))).toEqual(found);
});
