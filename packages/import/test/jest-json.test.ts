import { describe, expect, it } from 'vitest';
import { caseOf, linesOf, readSample } from './read-sample.ts';

describe('JSON of Jest', () => {
  it('has describes, retries and files that could not be loaded', async () => {
    const report = await readSample('jest.json');
    expect(report).toMatchObject({ format: 'Jest or Vitest JSON', startTimeMs: 1_794_742_368_701, durationMs: 1_259 });
    expect(linesOf(report)).toEqual([
      'passed 0 jest/cart.test.cjs:3:5 | cart › with a voucher › takes ten per cent off',
      'failed 2 jest/cart.test.cjs:4:5 | cart › with a voucher › adds up',
      'skipped 0 jest/cart.test.cjs:6:6 | cart › pays by cheque',
      'skipped 0 jest/cart.test.cjs:7:6 | cart › pays with shells',
      'passed 1 jest/cart.test.cjs:12:3 | retried › is fetched in the end',
      'failed 0 jest/broken.test.cjs | broken.test.cjs',
    ]);
    expect(caseOf(report, 'cart › with a voucher › adds up').error).toContain('Received: 3');
    expect(caseOf(report, 'broken.test.cjs').error).toContain('Cannot find module');
  });
});

describe('JSON of Vitest', () => {
  it('has describes, retries, time-outs and files that could not be loaded', async () => {
    const report = await readSample('vitest.json');
    expect(linesOf(report)).toEqual([
      'failed 0 unit/broken.test.ts | broken.test.ts',
      'passed 0 unit/price.test.ts:5:5 | price › with tax › adds the tax',
      'failed 0 unit/price.test.ts:6:5 | price › with tax › rounds half a cent',
      'passed 2 unit/price.test.ts:12:3 | price › is fetched in the end',
      'failed 0 unit/price.test.ts:16:3 | price › never comes',
      'skipped 0 unit/price.test.ts:19:6 | price › is shown in guilders',
      'skipped 0 unit/price.test.ts:20:6 | price › is shown in shells',
      'timedOut 0 unit/price.test.ts:21:3 | price › takes too long',
      'passed 0 unit/price.test.ts:23:18 | doubles 1',
      'passed 0 unit/price.test.ts:23:18 | doubles 2',
    ]);
    expect(caseOf(report, 'price › is fetched in the end').attempts).toMatchObject([
      { status: 'failed', error: expect.stringContaining('no answer at try 1') },
      { status: 'failed', error: expect.stringContaining('no answer at try 2') },
      { status: 'passed' },
    ]);
  });
});
