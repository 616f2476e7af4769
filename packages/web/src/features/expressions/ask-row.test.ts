import { type Filterable, readFilterText } from '@assay/contract/filter';
import type { Node } from '@assay/expression';
import { describe, expect, it } from 'vitest';
import { askRow, explainRow, outlineOf } from './ask-row.ts';
import { FIELDS, readRows, SAMPLES, sampleRows } from './sample-rows.ts';

const treeOf = (text: string, fields: Filterable = FIELDS.results): Node => {
  const filter = readFilterText(text, fields);
  if (!filter.ok) throw new Error(filter.issues[0]!.message);
  return filter.tree;
};

const rowsOf = (text: string, fields: Filterable) => {
  const read = readRows(text, fields);
  if (!read.ok) throw new Error(read.problem);
  return read.rows;
};

describe('sample rows', () => {
  it.each(SAMPLES)('of %s have each field with a value of its type, and each example finds one', (sample) => {
    const catalogue = FIELDS[sample];
    const rows = rowsOf(sampleRows(sample, Date.now()), catalogue);
    for (const row of rows) {
      expect(Object.keys(row).sort()).toEqual(Object.keys(catalogue.fields).sort());
      for (const [name, { type, nullable, values }] of Object.entries(catalogue.fields)) {
        const value = row[name];
        if (value === null) expect(nullable, name).toBe(true);
        else if (type === 'date') expect(value).toBeInstanceOf(Date);
        else if (type === 'enum') expect(values).toContain(value);
        else if (type === 'strings') expect(value).toBeInstanceOf(Array);
        else expect(typeof value, name).toBe(type === 'duration' ? 'number' : type);
      }
    }
    for (const example of catalogue.examples) {
      const states = rows.map((row) => askRow(treeOf(example, catalogue), row).state);
      expect(states, example).toContain('match');
      expect(states, example).toContain('no match');
    }
  });

  it.each([
    ['[{"title": }]', 'This is not JSON'],
    ['{"title": "a"}', 'list of rows'],
    ['[{}, 1]', 'Row 2 is not an object'],
    ['[{"started": "yesterday"}]', 'Row 1: started is not a date'],
  ])('%s: %s', (text, problem) => {
    expect(readRows(text, FIELDS.runs)).toEqual({ ok: false, problem: expect.stringContaining(problem) as string });
  });
});

describe('a row', () => {
  const row = { status: 'failed', error: null, tag: ['a', 'slow'], retries: 2 };

  it('is asked, and what that costs is counted', () => {
    const short = askRow(treeOf('t => t.retries > 1'), row);
    const long = askRow(treeOf('t => t.retries > 1 && t.tag.some(x => x === "slow")'), row);
    expect([short.state, long.state]).toEqual(['match', 'match']);
    expect(short.steps).toBeGreaterThan(1);
    expect(long.steps! - short.steps!).toBeGreaterThan(5);
  });

  it('that costs too much, or that cannot be asked, says why', () => {
    const costly = treeOf('t => "a".repeat(9e5).replaceAll("", "$&$&$&$&").length > 0');
    expect(askRow(costly, row)).toMatchObject({ state: 'too costly', steps: null });
    expect(askRow(treeOf('t => t.error.length > 1'), row)).toMatchObject({
      state: 'error',
      message: expect.stringContaining('length') as string,
    });
  });

  it('is explained part by part', () => {
    const parts = explainRow(treeOf('t => t.tag.some(x => x === "slow") || t.error?.length === 1'), row);
    expect(parts.map(({ depth, text, value, times }) => [depth, text, value, times])).toEqual([
      [0, 't.tag.some(x => x === "slow") || t.error?.length === 1', 'true', 1],
      [1, 't.tag.some(x => x === "slow")', 'true', 1],
      [2, 't.tag', '["a", "slow"]', 1],
      [2, 'x === "slow"', 'true', 2],
      [3, 'x', '"slow"', 2],
      [1, 't.error?.length === 1', 'not evaluated', 0],
    ]);
  });

  it('is explained in short, however much a value holds', () => {
    const large = { tag: Array.from({ length: 300 }, () => 'x'.repeat(1_000)) };
    const parts = explainRow(treeOf('t => t.tag.map(x => t.tag)'), large);
    expect(parts.map(({ value }) => value.length < 500 && value.includes('…'))).toEqual([true, true, true]);
  });

  it('is explained up to where it failed', () => {
    const parts = explainRow(treeOf('t => t.retries > 1 && t.error.length > Date.now()'), row);
    expect(parts.map(({ text, value }) => [text, value])).toEqual([
      ['t.retries > 1 && t.error.length > Date.now()', 'not finished'],
      ['t.retries > 1', 'true'],
      ['t.retries', '2'],
      ['t.error.length > Date.now()', 'not finished'],
      ['t.error.length', 'failed here'],
      ['t.error', 'null'],
      ['Date.now()', 'not evaluated'],
    ]);
  });
});

it('outlines a tree', () => {
  expect(outlineOf(treeOf('t => t.error?.length === 1')).split('\n')).toEqual([
    'Lambda t',
    '  Binary ===',
    '    Member ?.length',
    '      Member .error',
    '        Param t',
    '    Constant 1',
  ]);
});
