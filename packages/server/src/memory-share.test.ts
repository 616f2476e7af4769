import { expect, it } from 'vitest';
import { shareOf } from './memory-share.ts';

const MIB = 1024 * 1024;

it('what is kept in memory shrinks with the memory that there is, and never grows beyond its full size', () => {
  expect([128, 256, 512, 4096].map((memory) => shareOf(64, memory * MIB))).toEqual([16, 32, 64, 64]);
});
