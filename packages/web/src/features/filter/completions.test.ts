import type { Catalogue } from '@assay/expression';
import { describe, expect, it } from 'vitest';
import { countValues, offerAt, takeItem } from './completions.ts';

const catalogue: Catalogue = {
  fields: {
    status: { type: 'enum', values: ['passed', 'failed'] },
    file: { type: 'string' },
    flaky: { type: 'boolean' },
  },
};
const loaded = new Map([
  ['file', countValues(['tests/a.ts', 'tests/b c.ts', 'tests/a.ts'])],
  ['status', countValues(['failed', 'failed', 'passed'])],
]);

/** The text after taking the first thing offered at `|`. */
const first = (marked: string): string | undefined => {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { span, items } = offerAt(text, cursor, catalogue, loaded);
  const [item] = items;
  return item && takeItem(text, span, item).text;
};

describe('what is offered', () => {
  it.each([
    ['sta|', 'status:'],
    ['status:|', 'status:failed '],
    ['status:pa|', 'status:passed '],
    ['file:b|', 'file:"tests/b c.ts" '],
    ['-file:=a.|', '-file:=tests/a.ts '],
    ['(flaky OR file:a|)', '(flaky OR file:tests/a.ts)'],
    ['t => t.sta|', 't => t.status'],
  ])('%s', (marked, expected) => {
    expect(first(marked)).toBe(expected);
  });

  it('is nothing where what is written is already whole', () => {
    expect(first('status:failed|')).toBeUndefined();
  });

  it('tells how many rows have a value', () => {
    expect(offerAt('file:', 5, catalogue, loaded).items[0]).toMatchObject({
      label: 'tests/a.ts',
      docs: 'In 2 rows here',
    });
  });
});
