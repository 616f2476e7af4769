import { type FilterRow, readFilterText } from '@assay/contract/filter';
import { evaluate } from '@assay/expression';
import { functionOver, searchOver } from '@assay/testkit/filter-texts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FIELDS, SAMPLES, sampleRows } from '../expressions/sample-rows.ts';
import { addWords, readText, withWords } from './read-filter.ts';

/** All of them in `npm run explore`, which gives a seed. */
const SEED = import.meta.env['VITE_ASSAY_SEED'] as string | undefined;
const TREES = SEED === undefined ? 300 : 10_200;
const NOW = Date.now();
/** No row is as old as filters ask for, to the millisecond. */
const HALF_DAY_MS = 43_200_000;

const times = new Set(['started', 'lastrun', 'lastfailure']);
const revive = (row: Record<string, unknown>): FilterRow =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [
      field,
      times.has(field) && typeof value === 'string' ? new Date(value) : value,
    ]),
  );

it.each(SAMPLES)('a list of %s finds what a loop that walks the tree finds', (sample) => {
  const fields = FIELDS[sample];
  const rows = (JSON.parse(sampleRows(sample, NOW - HALF_DAY_MS)) as Record<string, unknown>[]).map(revive);
  // Fields that are missing or null in some rows.
  const more = rows.flatMap((row) => [
    row,
    { ...row, error: 'Error: ü 0123 a b%', branch: null, duration: null, title: '💳 main' },
  ]);
  const entries = more.map((row) => ({ row: addWords(row, fields) }));
  fc.assert(
    fc.property(fc.oneof(searchOver(fields), functionOver(fields)), (text) => {
      const own = readFilterText(text, { ...fields, fields: withBroken(fields.fields) }, { now: NOW });
      const asked = readText(text, withWords({ ...fields, fields: withBroken(fields.fields) }));
      if (!own.ok || !asked.ok) throw new Error(text);
      const { tree } = own;
      const naive = more.flatMap((row, nth) => {
        try {
          const name = (tree.kind === 'Lambda' ? tree.params[0] : undefined) ?? 't';
          const value = evaluate(tree, { params: { [name]: row }, clock: () => NOW });
          return value ? [nth] : [];
        } catch {
          return [];
        }
      });
      const found = asked.find(entries).found.map((entry) => entries.indexOf(entry));
      expect(found, text).toEqual(naive);
    }),
    { numRuns: TREES / SAMPLES.length, seed: Number(SEED ?? 20_260_101) },
  );
});

const withBroken = (fields: (typeof FIELDS)['results']['fields']) => ({
  ...fields,
  status: { ...fields['status']!, values: [...fields['status']!.values!, 'broken'] },
});
