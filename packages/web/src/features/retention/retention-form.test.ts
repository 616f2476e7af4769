import { describe, expect, it } from 'vitest';
import { readRetention, textsOf } from './retention-form.ts';

const NOTHING = { days: '', runs: '', gigabytes: '', fileDays: '', branches: '' };

describe('the fields of retention', () => {
  it('are no limits when empty', () => {
    const settings = { days: null, runs: null, bytes: null, fileDays: null, keepBranches: [] };
    expect(readRetention(NOTHING)).toEqual({ ok: true, settings });
    expect(textsOf(settings)).toEqual(NOTHING);
  });

  it('read what they show', () => {
    const settings = { days: 90, runs: 500, bytes: 1_250_000_000, fileDays: 14, keepBranches: ['main', 'release/*'] };
    expect(textsOf(settings).gigabytes).toBe('1.25');
    expect(readRetention(textsOf(settings))).toEqual({ ok: true, settings });
  });

  it('take a decimal comma, blanks, lines and names twice', () => {
    const read = readRetention({ ...NOTHING, gigabytes: ' 0,5 ', branches: 'main,,\n main , release/*\n' });
    expect(read).toMatchObject({ settings: { bytes: 500_000_000, keepBranches: ['main', 'release/*'] } });
  });

  it.each([
    ['days', '0'],
    ['days', '1.5'],
    ['days', '36501'],
    ['days', 'ten'],
    ['runs', '-1'],
    ['fileDays', '1e3'],
    ['gigabytes', '0'],
    ['gigabytes', 'much'],
    ['gigabytes', '1e99'],
    ['branches', Array.from({ length: 51 }, (_, at) => `b${at}`).join()],
  ] as const)('name what is wrong: %s %s', (name, text) => {
    const read = readRetention({ ...NOTHING, [name]: text });
    expect(read.ok ? [] : Object.keys(read.problems)).toEqual([name]);
  });
});
