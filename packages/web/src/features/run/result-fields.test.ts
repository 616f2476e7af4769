import { RESULT_FIELDS } from '@assay/contract/filter';
import { describe, expect, it } from 'vitest';
import { readText, withWords } from '../filter/read-filter.ts';
import { resultCatalogue, resultsOf } from './result-fields.ts';
import { sampleCase, sampleFailure } from './run-samples.ts';

const cases = [
  sampleCase(1, { status: 'failed', error: 'Error: Expected 200', retries: 2, tags: ['slow'], duration: 4_000 }),
  sampleCase(2, {
    status: 'timedOut',
    error: 'TimeoutError',
    filePath: 'tests/login.spec.ts',
    title: 'Log in › works',
  }),
  sampleCase(3, { retries: 1, flaky: true, browser: 'firefox', line: null }),
  sampleCase(4, { status: 'skipped', duration: null }),
  sampleCase(5),
];
const results = resultsOf(cases, {
  comparedWith: sampleFailure(1, false).failingSince,
  defaultRun: null,
  failures: [sampleFailure(1, false), sampleFailure(2, true)],
});
const catalogue = withWords(resultCatalogue(cases));

const ids = (text: string): number[] => {
  const filter = readText(text, catalogue);
  if (!filter.ok) throw new Error(filter.mistakes.map(({ message }) => message).join('; '));
  return filter.find(results).found.map((result) => result.case.id);
};

describe('a filter over results', () => {
  it.each([
    ['', [1, 2, 3, 4, 5]],
    ['status:failed', [1]],
    ['status:failed,timedOut', [1, 2]],
    ['status:interrupted', []],
    ['new', [2]],
    ['flaky', [3]],
    ['retries:>0 -flaky', [1]],
    ['"log in"', [2]],
    ['expected', [1]],
    ['-tag:slow status:failed', []],
    ['(duration:>2.5s OR flaky)', [1, 3]],
    ['duration:<2s', [2, 3, 5]],
    ['browser:fire', [3]],
    ['has:error', [1, 2]],
    ['file:=tests/login.spec.ts', [2]],
    ['line:10', [1, 2, 4, 5]],
    ['t => t.retries > 1', [1]],
    ['t.error?.includes("Timeout")', [2]],
    ['row => row.tag.includes("slow")', [1]],
    ['t.error.includes("Timeout")', [2]],
  ])('%s', (text, expected) => {
    expect(ids(text)).toEqual(expected);
  });

  it.each([
    ['statu:failed', 'statu', 'status'],
    ['status:faild', 'faild', 'failed'],
    ['t => t.statu === "failed"', 'statu', 'status'],
    ['t.status === "faild"', 'faild', 'failed'],
    ['status:', 'status:', null],
    ['t => t.', '.', null],
  ])('%s underlines %s and means %s', (text, underlined, nearest) => {
    const filter = readText(text, catalogue);
    if (filter.ok) throw new Error('It was read');
    const [mistake] = filter.mistakes;
    expect(text.slice(mistake!.start, mistake!.end)).toBe(underlined);
    expect(mistake!.nearest).toBe(nearest);
  });

  it('remarks on what never holds, and still applies', () => {
    const filter = readText('t => t.retries > 1 && t.retries < 0', catalogue);
    expect(filter).toMatchObject({ ok: true, remarks: [{ nearest: null }] });
  });

  it('tells of how many rows it could not be asked, and why', () => {
    const filter = readText('t.error.includes("Timeout")', catalogue);
    const { failed } = filter.ok ? filter.find(results) : { failed: null };
    expect(failed).toEqual({ count: 3, message: expect.stringContaining('includes') as string });
    const whole = readText('t.error?.includes("Timeout")', catalogue);
    expect(whole.ok && whole.find(results).failed).toBeNull();
  });

  it('is stopped where it costs too much, row by row and over all of them', () => {
    const doubled = readText('t => "a".repeat(9e5).replaceAll("", "$&$&$&$&").length > 0', catalogue);
    expect(doubled.ok && doubled.find(results)).toEqual({
      found: [],
      failed: { count: results.length, message: expect.stringContaining('steps') as string },
    });
    const rows = Array.from({ length: 200_000 }, () => results[0]!);
    const slow = readText(`t => "${'ab'.repeat(20)}".split("").map(c => c + "x").join("") !== ""`, catalogue);
    const { found, failed } = slow.ok ? slow.find(rows) : { found: [], failed: null };
    expect(failed).toMatchObject({ message: expect.stringContaining('too costly') as string });
    expect(found.length + failed!.count).toBe(rows.length);
  });

  it('asks whose failures they are, which all runs cannot be asked', () => {
    const data = [sampleCase(1, { status: 'failed' }), sampleCase(2, { status: 'failed' }), sampleCase(3)];
    const odds = { yours: 1, base: 0, flake: 0, outage: 0 };
    const verdicts = [
      { testCaseId: 1, testId: 1, verdict: 'yours' as const, odds, terms: [] },
      { testCaseId: 2, testId: 2, verdict: 'flake' as const, odds, terms: [] },
    ];
    const found = (text: string) => {
      const filter = readText(text, withWords(resultCatalogue(data)));
      return filter.ok && filter.find(resultsOf(data, undefined, { verdicts })).found.map((result) => result.case.id);
    };
    expect(found('verdict:yours')).toEqual([1]);
    expect(found('verdict:yours,flake')).toEqual([1, 2]);
    expect(found('verdict:none')).toBe(false);
    expect(readText('verdict:yours', withWords(RESULT_FIELDS)).ok).toBe(false);
  });

  it('is offered by examples that each find something', () => {
    const data = [
      sampleCase(1, { status: 'failed', retries: 2, title: 'log in' }),
      sampleCase(2, { status: 'failed', tags: ['slow'], title: 'log in' }),
      sampleCase(3, { duration: 3_000 }),
      sampleCase(4, { retries: 1, flaky: true }),
    ];
    const found = RESULT_FIELDS.examples.map((text) => {
      const filter = readText(text, withWords(resultCatalogue(data)));
      if (!filter.ok) throw new Error(filter.mistakes[0]!.message);
      const answer = filter.find(resultsOf(data));
      expect(answer.failed).toBeNull();
      return answer.found.map((result) => result.case.id);
    });
    expect(found).toEqual([[1], [1], [3, 4], [1]]);
  });

  it('asks 10,000 rows, and prints how long that takes', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => results[at % results.length]!);
    for (const text of ['status:failed retries:>0 (duration:>2.5s OR flaky)', '"log in"', 't => t.retries > 1']) {
      const times = Array.from({ length: 5 }, () => {
        const from = performance.now();
        const filter = readText(text, catalogue);
        expect(filter.ok && filter.find(many).found.length).toBe(2_000);
        return performance.now() - from;
      });
      const [first, best] = [times[0]!, Math.min(...times)].map((time) => time.toFixed(1));
      process.stdout.write(`  ${text} over 10,000 rows: first ${first} ms, then ${best} ms, parsing included\n`);
    }
  });
});
