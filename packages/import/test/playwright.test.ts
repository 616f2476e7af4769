import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { caseOf, linesOf, readSample, readText, SAMPLES } from './read-sample.ts';

describe('Playwright JSON', () => {
  it('has one case for each test and project, with all attempts', async () => {
    const report = await readSample('playwright.json');
    expect(report).toMatchObject({
      format: 'Playwright JSON',
      startTimeMs: Date.parse('2026-11-15T11:30:33.928Z'),
      shard: null,
      errors: [],
      problems: [],
    });
    expect(linesOf(report)).toEqual([
      'passed 1 e2e/cart.spec.ts:16:3 | cart › survives a slow network [chromium]',
      'skipped 0 e2e/cart.spec.ts:19:3 | cart › pays by cheque [chromium]',
      'timedOut 1 e2e/cart.spec.ts:22:3 | cart › waits for the bank [chromium]',
      'passed 0 e2e/cart.spec.ts:26:3 | cart › refuses a wrong card [chromium]',
      'failed 1 e2e/cart.spec.ts:30:3 | cart › is known to be broken, but is not [chromium]',
      'passed 0 e2e/cart.spec.ts:5:5 | cart › with a voucher › takes ten per cent off [chromium]',
      'failed 1 e2e/cart.spec.ts:11:5 | cart › with a voucher › adds up [chromium]',
      'passed 0 e2e/stock.spec.ts:9:38 | finds a book [chromium]',
      'passed 0 e2e/stock.spec.ts:9:38 | finds a book [firefox]',
      'passed 0 e2e/stock.spec.ts:9:38 | finds a lamp [chromium]',
      'passed 0 e2e/stock.spec.ts:9:38 | finds a lamp [firefox]',
      'failed 1 e2e/stock.spec.ts:6:3 | stock › counts books [chromium]',
      'skipped 0 e2e/stock.spec.ts:7:3 | stock › counts lamps [chromium]',
    ]);
    const flaky = caseOf(report, 'cart › survives a slow network');
    expect(flaky.attempts).toMatchObject([
      { retry: 0, status: 'failed', error: expect.stringContaining('connection reset') },
      { retry: 1, status: 'passed' },
    ]);
    expect(flaky.error).toBeUndefined();
    expect(caseOf(report, 'cart › with a voucher › adds up').attempts).toMatchObject([
      { output: [{ stream: 'stdout', text: 'adding 1 and 2\n' }] },
      { output: [{ stream: 'stdout', text: 'adding 1 and 2\n' }] },
    ]);
    const tagged = caseOf(report, 'cart › with a voucher › takes ten per cent off');
    expect(tagged.tags).toEqual(['@money']);
    expect(tagged.annotations).toEqual([{ type: 'issue', description: 'SHOP-12' }]);
    expect(tagged.steps).toMatchObject([{ title: 'add a book', steps: [{ title: 'look up its price' }] }]);
    expect(caseOf(report, 'cart › is known to be broken, but is not').error).toBe('Expected to fail, but passed.');
  });

  it('fails with errors outside of its tests', async () => {
    const report = await readText(
      JSON.stringify({ config: { rootDir: '/x' }, suites: [], errors: [{ message: 'no such file' }], stats: {} }),
    );
    expect(report).toMatchObject({ cases: [], status: 'failed', errors: ['no such file'] });
  });

  it('that breaks off says where', async () => {
    const text = readFileSync(join(SAMPLES, 'playwright.json'), 'utf8');
    const report = await readText(text.slice(0, 20_000));
    expect(report).toMatchObject({ format: 'Playwright JSON', cases: [], status: 'interrupted' });
    expect(report.problems[0]!.line).toBeGreaterThan(100);
  });
});

describe('a Playwright blob', () => {
  it('has the shard, and the same tests as the JSON report', async () => {
    const [first, second] = await Promise.all([
      readSample('playwright-blob-1.zip'),
      readSample('playwright-blob-2.zip'),
    ]);
    expect(first).toMatchObject({
      format: 'Playwright blob',
      shard: { index: 1, total: 2 },
      status: 'failed',
      problems: [],
    });
    expect(second).toMatchObject({ shard: { index: 2, total: 2 } });
    const whole = linesOf(await readSample('playwright.json'));
    expect([...linesOf(first), ...linesOf(second)].sort()).toEqual(whole.sort());
    const tagged = caseOf(first, 'cart › with a voucher › takes ten per cent off');
    expect(tagged.tags).toEqual(['@money']);
    expect(tagged.annotations).toEqual([{ type: 'issue', description: 'SHOP-12' }]);
    expect(tagged.steps).toMatchObject([
      { title: 'Before Hooks', category: 'hook' },
      { title: 'add a book', category: 'test.step', steps: [{ title: 'look up its price' }] },
      { title: 'Expect "toBe"', category: 'expect' },
      { title: 'After Hooks' },
    ]);
    expect(caseOf(first, 'cart › with a voucher › adds up').attempts).toMatchObject([
      {
        retry: 0,
        error: expect.stringContaining('Expected'),
        output: [{ stream: 'stdout', text: 'adding 1 and 2\n' }],
      },
      { retry: 1, error: expect.stringContaining('cart.spec.ts:13:21') },
    ]);
  });

  it('that Playwright could not end has the test that ran as interrupted', async () => {
    const lines = [
      { method: 'onBlobReportMetadata', params: { version: 2 } },
      { method: 'onConfigure', params: { config: { rootDir: '/elsewhere/e2e' } } },
      {
        method: 'onProject',
        params: {
          project: {
            name: '',
            suites: [
              {
                title: 'a.spec.ts',
                entries: [{ testId: '1', title: 'a', location: { file: 'a.spec.ts', line: 1, column: 2 } }],
              },
            ],
          },
        },
      },
      { method: 'onTestBegin', params: { testId: '1', result: { id: 'r', retry: 0, startTime: 1_772_600_767_000 } } },
    ];
    const report = await readText(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"method":"onTe`);
    expect(linesOf(report)).toEqual(['interrupted 0 a.spec.ts:1:2 | a']);
    expect(report).toMatchObject({
      status: 'interrupted',
      startTimeMs: 1_772_600_767_000,
      problems: [{ message: 'report.jsonl breaks off', line: 5 }],
    });
  });
});
