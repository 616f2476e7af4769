import { describe, expect, it } from 'vitest';
import { resultsOf } from './result-fields.ts';
import { buildRows, hasMainCause, type ListRow, sortResults, statusByFile, WITHOUT_ERROR } from './result-rows.ts';
import { sampleCase } from './run-samples.ts';

const results = resultsOf([
  sampleCase(1, { title: 'b', duration: 10, filePath: 'b.ts' }),
  sampleCase(2, { title: 'a', status: 'failed', error: 'Error: got 3 of /a', duration: 30, filePath: 'a.ts' }),
  sampleCase(3, { title: 'c', retries: 1, duration: null, filePath: 'a.ts' }),
  sampleCase(4, { title: 'd', status: 'timedOut', error: 'Error: got 5 of /a', duration: 20, filePath: 'c.ts' }),
  sampleCase(5, { title: 'e', status: 'skipped', duration: 5, filePath: 'b.ts' }),
  sampleCase(6, { title: 'f', status: 'odd', duration: 1, filePath: 'b.ts' }),
]);
const none = new Set<string>();

const outline = (rows: readonly ListRow[]): string[] =>
  rows.map((row) => (row.kind === 'group' ? `${row.open ? '-' : '+'} ${row.title}` : String(row.key)));

describe('sorting', () => {
  it.each([
    ['status', [2, 4, 3, 6, 1, 5]],
    ['duration', [2, 4, 1, 5, 6, 3]],
    ['title', [2, 1, 3, 4, 5, 6]],
    ['file', [2, 3, 1, 5, 6, 4]],
  ] as const)('by %s', (sort, expected) => {
    expect(sortResults(results, sort).map((result) => result.case.id)).toEqual(expected);
  });
});

describe('rows', () => {
  const sorted = sortResults(results, 'status');

  it('are the results alone in the list', () => {
    expect(outline(buildRows(sorted, 'list', 'status', none))).toEqual(['2', '4', '3', '6', '1', '5']);
  });

  it('of a file are open where something failed', () => {
    expect(outline(buildRows(sorted, 'file', 'status', none))).toEqual(['- a.ts', '2', '3', '- c.ts', '4', '+ b.ts']);
    expect(outline(buildRows(sorted, 'file', 'status', new Set(['file:a.ts', 'file:b.ts'])))).toEqual([
      '+ a.ts',
      '- c.ts',
      '4',
      '- b.ts',
      '6',
      '1',
      '5',
    ]);
  });

  it('of one cause are one group, those without an error the last', () => {
    expect(outline(buildRows(sorted, 'cause', 'status', none))).toEqual([
      '- Error: got <*> of /a',
      '2',
      '4',
      `+ ${WITHOUT_ERROR}`,
    ]);
  });

  it('know the counts and the duration of their group', () => {
    const [group] = buildRows(sorted, 'file', 'title', none);
    expect(group).toMatchObject({
      title: 'a.ts',
      durationMs: 30,
      counts: { failed: 1, flaky: 1, passed: 0, total: 2 },
    });
  });
});

it('lists files with failures first', () => {
  expect(statusByFile(results).map(({ file, counts }) => [file, counts.failed, counts.total])).toEqual([
    ['a.ts', 1, 2],
    ['c.ts', 1, 1],
    ['b.ts', 0, 3],
  ]);
});

describe('a main cause', () => {
  const failing = (...errors: readonly string[]) =>
    resultsOf(errors.map((error, at) => sampleCase(at + 1, { title: `t${at}`, status: 'failed', error })));

  it('holds most of several failures', () => {
    expect(hasMainCause(failing('Error: no bank 1', 'Error: no bank 2', 'Error: no bank 3', 'Error: other'))).toBe(
      true,
    );
    expect(hasMainCause(failing('Error: no bank 1', 'Error: no bank 2'))).toBe(false);
    expect(hasMainCause(failing('Error: no bank', 'Error: no bank', 'Error: no bank', 'a', 'b', 'c'))).toBe(false);
    expect(hasMainCause(failing('', '', '', ''))).toBe(false);
    expect(hasMainCause([])).toBe(false);
  });

  it('says what of it is new, since when the rest fails, and where it came up', () => {
    const [group] = buildRows(
      failing('Error: no bank\n    at /ci/pay.ts:3:1', 'Error: no bank'),
      'cause',
      'status',
      none,
    );
    expect(group).toMatchObject({ cause: { newTests: 0, sinceRun: null, place: '/ci/pay.ts:3:1' } });
  });
});
