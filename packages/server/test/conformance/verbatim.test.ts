import type { RunDetails, Submission } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { newName, submission, testCase } from './build.ts';
import { SUBMIT, request, sendText } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const store = async (overrides: Partial<Submission>): Promise<RunDetails> => {
  const { testRunId } = await server.client.submitRun({ body: submission(overrides) });
  return server.client.getRun({ params: { id: testRunId } });
};

describe('metadata is answered verbatim', () => {
  it.each<[string, unknown]>([
    ['a flat object', { ci: 'jenkins', build: 1_234, ok: true, nothing: null }],
    ['a nested object', { a: { b: { c: [1, [2, { d: [] }], {}] } } }],
    ['unicode', { 'ключ 🔑': 'значение', rtl: 'مرحبا', nul: 'a\u0000b', zwj: '👩‍👩‍👧', combining: 'e\u0301 \u00e9' }],
    [
      'odd keys',
      { '': 0, ' ': 1, 'a.b': 2, 'a/b~c': 3, $ref: '#/x', constructor: 4, toString: 5, '"': 6, '1': 7, id: 8 },
    ],
    ['numbers', { zero: 0, negative: -1.5, small: 5e-324, large: 1.7976931348623157e308, safe: 9_007_199_254_740_991 }],
    ['dates that stay text', { startTime: '2026-03-01T10:00:00+02:00', url: 'https://a.test/?token=kept' }],
    ['an array', [1, 'two', { three: 3 }]],
    ['a string', 'free text'],
    ['an empty object', {}],
    ['zero', 0],
    ['false', false],
    ['an empty string', ''],
  ])('%s', async (_, metadata) => {
    const run = await store({ metadata });
    expect(run.metadata).toStrictEqual(metadata);
  });

  it('also beside a case, but in no list of runs', async () => {
    const metadata = { pipeline: { id: 7, 'odd key': ['ü'] } };
    const run = await store({ metadata, testCases: [testCase()] });
    const details = await server.client.getTestCase({ params: { id: run.testCases[0]!.id } });
    expect(details.testRun.metadata).toStrictEqual(metadata);
    const project = await server.client.getProject({ params: { id: run.projectId } });
    expect(project.testRuns[0]).not.toHaveProperty('metadata');
    expect(project.latestRun).not.toHaveProperty('metadata');
    const listed = (await server.client.listProjects()).find(({ id }) => id === run.projectId);
    expect(listed!.latestRun).not.toHaveProperty('metadata');
  });

  it('also of a case', async () => {
    const metadata = { deep: [{ ключ: null }] };
    const run = await store({ testCases: [testCase({ metadata })] });
    const details = await server.client.getTestCase({ params: { id: run.testCases[0]!.id } });
    expect(details.metadata).toStrictEqual(metadata);
  });

  it('is null when it was not sent', async () => {
    expect((await store({})).metadata).toBeNull();
  });

  it('with a key named __proto__, which changes nothing else', async () => {
    const metadata = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}';
    const text = `{"projectName":"${newName()}","status":"passed","startTime":"2026-03-01T10:00:00Z","metadata":${metadata}}`;
    const response = await sendText(server, 'POST', SUBMIT, text);
    expect(response.status).toBe(200);
    const { testRunId } = (await response.json()) as { testRunId: number };
    const answer = await (await request(server, `/api/test-runs/${testRunId}`)).text();
    expect(JSON.stringify((JSON.parse(answer) as { metadata: unknown }).metadata)).toBe(metadata);
  });
});

describe('text is kept as sent', () => {
  const texts: [string, string][] = [
    ['a NUL', 'before\u0000after'],
    ['ANSI colours', '\u001b[31mred\u001b[39m \u001b[1mbold\u001b[22m'],
    ['emoji', '🧪 👩‍👩‍👧‍👦 🏳️‍🌈'],
    ['right to left', 'שלום \u202eabc\u202c مرحبا'],
    ['combining characters in both forms', 'e\u0301 \u00e9'],
    ['line breaks and tabs', 'one\r\ntwo\n\tthree'],
    ['surrounding spaces', '  padded  '],
    ['markup', '<script>alert(1)</script> &amp; "quotes" \'single\''],
    ['SQL and wildcards', "'; DELETE FROM runs; -- %_\\"],
    ['line separators', 'a\u2028b\u2029c'],
    ['BOM and noncharacters', '\ufeffa\ufffe'],
  ];

  it.each(texts)('in a title: %s', async (_, title) => {
    const run = await store({ testCases: [testCase({ title })] });
    expect(run.testCases.map((testCase) => testCase.title)).toEqual([title]);
    const tests = await server.client.listTests({ params: { id: run.projectId } });
    expect(tests.map((test) => test.title)).toEqual([title]);
  });

  it.each(texts)('in an error: %s', async (_, error) => {
    const run = await store({ testCases: [testCase({ status: 'failed', error })] });
    expect(run.testCases[0]?.error).toBe(error);
    const details = await server.client.getTestCase({ params: { id: run.testCases[0]!.id } });
    expect(details.error).toBe(error);
  });

  it('in a very long error', async () => {
    const error = 'Error: 😀 line\n'.repeat(20_000);
    const run = await store({ testCases: [testCase({ status: 'failed', error })] });
    expect(run.testCases[0]?.error).toBe(error);
  });

  it('titles that differ only in a NUL are different tests', async () => {
    const titles = ['same', 'same\u0000', 'same\u0000more'];
    const run = await store({ testCases: titles.map((title) => testCase({ title })) });
    const tests = await server.client.listTests({ params: { id: run.projectId } });
    expect(tests.map((test) => test.title).sort()).toEqual(titles);
  });

  it('and half of a surrogate pair is never a server error', async () => {
    const text = JSON.stringify(submission({ testCases: [testCase({ title: 'half \ud83d', error: '\udc00' })] }));
    expect((await sendText(server, 'POST', SUBMIT, text)).status).toBeLessThan(500);
  });
});
