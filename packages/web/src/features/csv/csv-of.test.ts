import { expect, test } from 'vitest';
import { csvOf } from './csv-of.ts';

test('rows become records of all their fields, quoted where needed and without formulas', () => {
  const rows = [
    { title: 'adds, "up"', rate: 0.5, last: { id: 7, commit: null }, tags: ['@a', 'b'] },
    { title: '=1+1', rate: null, durations: [1, 2.5], flaky: true },
  ];
  expect(csvOf(rows)).toBe(
    [
      'title,rate,last.id,last.commit,tags,durations,flaky',
      `"adds, ""up""",0.5,7,,'@a b,,`,
      `'=1+1,,,,,1 2.5,true`,
      '',
    ].join('\r\n'),
  );
});
