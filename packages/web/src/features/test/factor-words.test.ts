import { expect, it } from 'vitest';
import { chanceWords, placeOfFactor } from './factor-words.ts';

it('a chance is told as how often it comes', () => {
  expect(chanceWords({ chance: 0.004 })).toBe('once in 250 times by chance');
  expect(chanceWords({ chance: 0.000001 })).toBe('less than once in 10,000 times by chance');
});

it('each kind has words around its value', () => {
  expect(placeOfFactor({ kind: 'shard' }).join('3')).toBe('on shard 3');
  expect(placeOfFactor({ kind: 'before' }).join('pays')).toBe('right after “pays” on its worker');
});
