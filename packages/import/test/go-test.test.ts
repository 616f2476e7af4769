import { describe, expect, it } from 'vitest';
import { caseOf, linesOf, readSample, readText } from './read-sample.ts';

const event = (Action: string, more: object): string =>
  JSON.stringify({ Time: '2026-03-04T05:06:07Z', Action, Package: 'p', ...more });

describe('go test -json', () => {
  it('has subtests, reruns, failed builds and time-outs', async () => {
    const report = await readSample('go-test.json');
    expect(report).toMatchObject({
      format: 'Go test JSON',
      startTimeMs: Date.parse('2026-03-04T05:06:07Z'),
      durationMs: 3_000,
      problems: [],
    });
    expect(linesOf(report)).toEqual([
      'failed 0 example.org/shop/cart | TestAddsUp',
      'passed 0 example.org/shop/cart | TestFinds/a_book',
      'failed 0 example.org/shop/cart | TestFinds/a_lamp',
      'passed 0 example.org/shop/cart | TestCleansUp/after_a_sale',
      'failed 0 example.org/shop/cart | TestCleansUp',
      'skipped 0 example.org/shop/cart | TestPaysByCheque',
      'passed 1 example.org/shop/cart | TestNetwork',
      'failed 0 example.org/shop/stock | (build)',
      'passed 0 example.org/shop/bank | TestIsQuick',
      'timedOut 0 example.org/shop/bank | TestWaits',
    ]);
    expect(caseOf(report, 'TestAddsUp').error).toBe('cart_test.go:12: got 3, want 4');
    expect(caseOf(report, 'TestNetwork').attempts).toMatchObject([
      { status: 'failed', error: 'cart_test.go:60: connection reset' },
      { status: 'passed' },
    ]);
    expect(caseOf(report, '(build)').error).toContain('stock_test.go:9:2: undefined: count');
    expect(caseOf(report, 'TestWaits').error).toContain('panic: test timed out after 1s');
  });

  it('of Go 1.19 has a package that does not compile, which only a plain line tells', async () => {
    const report = await readSample('go-test-1.19.json');
    expect(linesOf(report)).toEqual([
      'failed 0 example.org/shop/broken | (build)',
      'passed 0 example.org/shop/cart | TestAddsUp/one_item',
      'passed 0 example.org/shop/cart | TestAddsUp/three_items',
      'failed 0 example.org/shop/cart | TestAddsUp/a_discount',
      'passed 0 example.org/shop/cart | TestEmpty',
      'skipped 0 example.org/shop/cart | TestLater',
      'failed 0 example.org/shop/cart | TestFlaky',
      'skipped 0 example.org/shop/cart | TestPanics',
    ]);
  });

  it('by gotestsum with reruns has what passed in the end as flaky', async () => {
    const report = await readSample('junit-gotestsum.xml');
    // `DONE 3 runs, 13 tests, 2 skipped, 7 failures`: six attempts of two tests that always fail, one of the flaky one.
    expect(linesOf(report)).toEqual([
      'failed 2 example.org/shop/cart | TestAddsUp/a_discount',
      'failed 2 example.org/shop/cart | TestAddsUp',
      'passed 1 example.org/shop/cart | TestFlaky',
      'skipped 0 example.org/shop/cart | TestLater',
      'skipped 0 example.org/shop/cart | TestPanics',
      'passed 0 example.org/shop/cart | TestAddsUp/one_item',
      'passed 0 example.org/shop/cart | TestAddsUp/three_items',
      'passed 0 example.org/shop/cart | TestEmpty',
    ]);
    expect(caseOf(report, 'TestAddsUp/a_discount').error).toBe('cart_test.go:15: got 90, want 80');
  });

  it('has a test that runs several times and always passes as one that passed', async () => {
    const once = [event('run', { Test: 'TestA' }), event('pass', { Test: 'TestA', Elapsed: 1 })];
    const report = await readText([...once, ...once, ...once, event('pass', {})].join('\n'));
    expect(linesOf(report)).toEqual(['passed 0 p | TestA']);
  });

  it('has a panic with the tests that it took', async () => {
    const lines = [
      event('run', { Test: 'TestA' }),
      event('output', { Test: 'TestA', Output: 'panic: boom\n' }),
      event('output', { Test: 'TestA', Output: 'goroutine 7 [running]:\n' }),
      event('run', { Test: 'TestB' }),
      event('fail', {}),
    ];
    const report = await readText(lines.join('\n'));
    expect(linesOf(report)).toEqual(['failed 0 p | TestA', 'failed 0 p | TestB']);
    expect(caseOf(report, 'TestB').error).toContain('panic: boom\ngoroutine 7');
  });

  it('that breaks off has the test that ran as interrupted, and says where', async () => {
    const report = await readText(`${event('run', { Test: 'TestA' })}\n{"Time":"2026-`);
    expect(linesOf(report)).toEqual(['interrupted 0 p | TestA']);
    expect(report).toMatchObject({ status: 'interrupted', problems: [{ line: 2 }] });
  });

  it('that a Windows shell wrote is read', async () => {
    const text = [event('run', { Test: 'TestA' }), event('pass', { Test: 'TestA' }), event('pass', {})].join('\r\n');
    expect(linesOf(await readText(Buffer.from(`\uFEFF${text}`, 'utf16le')))).toEqual(['passed 0 p | TestA']);
  });
});
