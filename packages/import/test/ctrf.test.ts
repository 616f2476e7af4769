import { describe, expect, it } from 'vitest';
import { caseOf, linesOf, readSample } from './read-sample.ts';

describe('CTRF', () => {
  it('has attempts, steps, tags, browsers and statuses', async () => {
    const report = await readSample('ctrf.json');
    expect(report).toMatchObject({ format: 'CTRF', startTimeMs: 1_772_600_767_000, durationMs: 3_000 });
    expect(linesOf(report)).toEqual([
      'passed 0 e2e/cart.spec.ts:5 | cart › takes ten per cent off [chromium]',
      'passed 1 e2e/cart.spec.ts | cart › survives a slow network',
      'timedOut 0 C:/shop/e2e/cart.spec.ts | cart › waits for the bank',
      'other 0 - | is odd',
    ]);
    expect(caseOf(report, 'cart › survives a slow network').attempts).toMatchObject([
      {
        status: 'failed',
        duration: 40,
        error: expect.stringContaining('connection reset'),
        output: [{ stream: 'stdout', text: 'one\ntwo' }],
      },
      { status: 'passed', duration: 50 },
    ]);
    expect(caseOf(report, 'cart › waits for the bank').error).toBe(
      "Test timeout of 200ms exceeded.\nat e2e/cart.spec.ts:22:3\n\n> 22 | test('waits')",
    );
    expect(caseOf(report, 'cart › takes ten per cent off')).toMatchObject({
      tags: ['@money'],
      steps: [{ title: 'add a book' }],
    });
  });

  it('of Jest has suites in one text', async () => {
    expect(linesOf(await readSample('ctrf-jest.json'))).toEqual([
      'passed 0 jest/cart.test.cjs | cart › with a voucher › takes ten per cent off',
      'failed 2 jest/cart.test.cjs | cart › with a voucher › adds up',
      'skipped 0 jest/cart.test.cjs | cart › pays by cheque',
      'skipped 0 jest/cart.test.cjs | cart › pays with shells',
      'passed 1 jest/cart.test.cjs | retried › is fetched in the end',
    ]);
  });
});
