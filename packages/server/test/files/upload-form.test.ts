import { UploadReply } from '@assay/contract';
import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, richCase, testCase } from '../conformance/build.ts';
import { sharedServer, type TestServer } from '../server.ts';
import { zipOf } from './archives.ts';
import {
  type Part,
  file,
  json,
  readStored,
  runFields,
  sendForm,
  text,
  textFields,
  uniqueBytes,
  upload,
} from './form.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const getRun = (id: number) => server.client.getRun({ params: { id } });
const reply = Compile(UploadReply);

describe('an upload with every field', () => {
  it('answers its run, its reports and its traces, and all of them are stored', async () => {
    const projectName = newName();
    const page = await zipOf({ 'index.html': '<!doctype html><title>Report</title>', 'data/a.json': '{"a":1}' });
    const [blob, monocart, first, second] = [await zipOf({ 'report.jsonl': '{}' }), '<!doctype html>m', 'one', 'two'];
    const answer = await upload(server, [
      text('projectName', projectName),
      json('testRun', runFields({ status: 'failed', totalTests: 9, passedTests: 4, failedTests: 3, skippedTests: 2 })),
      json('testCases', [testCase({ title: 'a', retries: 1 }), richCase({ title: 'b' })]),
      file('report_html', page, 'report.zip'),
      file('report_monocart', monocart, 'index.html'),
      file('report_blob', blob, 'blob.zip'),
      text('report_label_monocart', 'Coverage'),
      file('trace_0', first, 'trace.zip'),
      file('trace_1', second, 'trace.zip'),
      file('trace_1', uniqueBytes(), 'trace.zip'),
    ]);
    expect([...reply.Errors(answer)]).toEqual([]);
    expect(answer.success).toBe(true);
    expect(answer.reports.map(({ type, label }) => [type, label]).sort()).toEqual([
      ['blob', 'Blob Report'],
      ['html', 'HTML Report'],
      ['monocart', 'Coverage'],
    ]);
    expect(answer.traces.map(({ testCaseIndex }) => testCaseIndex).sort()).toEqual([0, 1, 1]);
    expect(answer.reportPath).toBe(answer.reports.find(({ type }) => type === 'html')!.path);
    const paths = [...answer.reports, ...answer.traces].map(({ path }) => path);
    expect(new Set(paths).size).toBe(6);
    expect(paths.filter((path) => path.startsWith('/'))).toEqual([]);

    const run = await getRun(answer.testRunId);
    expect(run).toMatchObject({ status: 'failed', totalTests: 9, passedTests: 4, failedTests: 3, skippedTests: 2 });
    expect(run).toMatchObject({ flakyTests: 1, projectId: answer.projectId, project: { name: projectName } });
    expect(run.reports.map(({ type, label, path }) => ({ type, label, path }))).toEqual(answer.reports);
    expect(run.testCases.map(({ title }) => title)).toEqual(['a', 'b']);
    const { testRuns } = await server.client.getProject({ params: { id: answer.projectId } });
    expect(testRuns.map(({ reports }) => reports)).toEqual([run.reports]);
    expect(await readStored(server, answer.traces.find(({ testCaseIndex }) => testCaseIndex === 0)!.path)).toEqual(
      Buffer.from(first),
    );
    const case1 = await server.client.getTestCase({ params: { id: run.testCases[1]!.id } });
    expect(case1.traces.map(({ path }) => path).sort()).toEqual(
      answer.traces.flatMap(({ testCaseIndex, path }) => (testCaseIndex === 1 ? [path] : [])).sort(),
    );
    expect(case1.traces.map(({ size }) => size).sort((a, b) => a - b)).toEqual([3, 64]);
    for (const { path, url } of case1.traces) expect(url).toContain(path);
  });

  it('works by FormData and the typed client', async () => {
    const body = new FormData();
    body.set('projectName', newName());
    body.set('testRun', JSON.stringify(runFields()));
    body.set('report_html', new Blob(['<!doctype html>'], { type: 'text/html' }), 'index.html');
    const response = await fetch(`${server.url}/api/test-runs/upload`, { method: 'POST', body });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ success: true, traces: [], reports: [{ type: 'html' }] });
  });
});

describe('parts in any order', () => {
  it('mean the same', async () => {
    const page = await zipOf({ 'index.html': '<!doctype html>', 'a.txt': 'a' });
    const parts = (projectName: string): Part[] => [
      ...textFields(projectName),
      file('report_html', page, 'report.zip'),
      text('report_label_html', 'Pages'),
      file('report_coverage', 'bytes of coverage'),
      text('report_label_coverage', 'Lines'),
      file('trace_0', 'trace of the first'),
      file('trace_1', 'trace of the second'),
    ];
    const orders = fc.shuffledSubarray([...parts('').keys()], { minLength: 9, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const all = parts(newName());
        const answer = await upload(
          server,
          order.map((index) => all[index]!),
        );
        const labels = Object.fromEntries(answer.reports.map(({ type, label }) => [type, label]));
        expect(labels).toEqual({ html: 'Pages', coverage: 'Lines' });
        const traces = await Promise.all(
          answer.traces.map(async ({ testCaseIndex, path }) => [testCaseIndex, String(await readStored(server, path))]),
        );
        expect(Object.fromEntries(traces)).toEqual({ 0: 'trace of the first', 1: 'trace of the second' });
        expect((await getRun(answer.testRunId)).testCases.map(({ title }) => title)).toEqual(['first', 'second']);
      }),
      { numRuns: draws(12, 60), seed: 3 },
    );
  });

  it('take the text fields last, behind a large file', async () => {
    const content = uniqueBytes(3_000_000);
    const answer = await upload(server, [file('report_html', content), ...textFields().toReversed()]);
    expect(await readStored(server, answer.reports[0]!.path)).toEqual(content);
  });
});

describe('the form of a part', () => {
  it.each<[string, Partial<Part>]>([
    ['no file name', { type: 'application/zip' }],
    ['neither file name nor type', {}],
    ['an empty file name', { filename: '' }],
    ['a type of text', { filename: 'index.txt', type: 'text/html; charset=utf-8' }],
    ['a file name with a path', { filename: '../../../etc/passwd' }],
    ['a file name with a path of Windows', { filename: 'C:\\\\Users\\\\a\\\\report.bin' }],
    ['a file name of another alphabet', { filename: 'отчёт 报告 🎉.bin' }],
    ['a very long file name', { filename: `${'n'.repeat(3_000)}.bin` }],
    ['a file name with odd characters', { filename: "a b%20?#&<>:|*;'.bin" }],
  ])('%s is as good as any for a report and for a trace', async (_, form) => {
    const [report, trace] = [uniqueBytes(), uniqueBytes()];
    const answer = await upload(server, [
      ...textFields(),
      { name: 'report_html', content: report, ...form },
      { name: 'trace_0', content: trace, ...form },
    ]);
    expect(await readStored(server, answer.reports[0]!.path)).toEqual(report);
    expect(await readStored(server, answer.traces[0]!.path)).toEqual(trace);
    expect(answer.reports[0]!.path).not.toMatch(/\.\.|\\|^\//);
  });

  it('text fields may come as files with a type', async () => {
    const fields = textFields().map((part) => ({ ...part, filename: 'blob', type: 'application/json' }));
    const { testRunId } = await upload(server, fields);
    expect((await getRun(testRunId)).testCases).toHaveLength(2);
  });

  it('a quoted and an odd boundary is read', async () => {
    const boundary = "a'()+_,-./:=?b";
    const body = `--${boundary}\r\nContent-Disposition: form-data; name="projectName"\r\n\r\n${newName()}\r\n--${boundary}\r\nContent-Disposition: form-data; name="testRun"\r\n\r\n${JSON.stringify(runFields())}\r\n--${boundary}--`;
    const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
    const response = await fetch(`${server.url}/api/test-runs/upload`, { method: 'POST', headers, body });
    expect(response.status, await response.text()).toBe(200);
  });

  it('a name without quotes, headers in any case and a preamble are read', async () => {
    const body = `preamble\r\n--b\r\ncontent-disposition: form-data; name=projectName\r\n\r\n${newName()}\r\n--b\r\nCONTENT-DISPOSITION: form-data; NAME="testRun"\r\n\r\n${JSON.stringify(runFields())}\r\n--b--\r\nepilogue`;
    const headers = { 'content-type': 'Multipart/Form-Data; Boundary=b' };
    const response = await fetch(`${server.url}/api/test-runs/upload`, { method: 'POST', headers, body });
    expect(response.status, await response.text()).toBe(200);
  });
});

describe('reports', () => {
  it('come by the older name htmlReport', async () => {
    const answer = await upload(server, [...textFields(), file('htmlReport', '<!doctype html>', 'index.html')]);
    expect(answer.reports).toMatchObject([{ type: 'html', label: 'HTML Report' }]);
    expect(answer.reportPath).toBe(answer.reports[0]!.path);
  });

  it('of the older name take the label of html', async () => {
    const answer = await upload(server, [text('report_label_html', 'Old'), file('htmlReport', 'x'), ...textFields()]);
    expect(answer.reports).toMatchObject([{ type: 'html', label: 'Old' }]);
  });

  it.each([
    ['html', 'HTML Report'],
    ['monocart', 'Monocart Report'],
    ['blob', 'Blob Report'],
    ['allure', 'Allure Report'],
    ['a', 'A Report'],
    ['0-9_z', '0-9_z Report'],
    ['constructor', 'Constructor Report'],
    ['__proto__', '__proto__ Report'],
    ['x'.repeat(40), `X${'x'.repeat(39)} Report`],
  ])('of type %s are called %s', async (type, label) => {
    const answer = await upload(server, [...textFields(), file(`report_${type}`, uniqueBytes())]);
    expect(answer.reports).toMatchObject([{ type, label }]);
  });

  it('without one of html show the first as the report', async () => {
    const answer = await upload(server, [...textFields(), file('report_monocart', 'm'), file('report_allure', 'a')]);
    expect(answer.reports.map(({ path }) => path)).toContain(answer.reportPath);
  });

  it('may be absent', async () => {
    expect(await upload(server, textFields())).toMatchObject({ reportPath: null, reports: [], traces: [] });
  });

  it('may have a label of any alphabet, and a label alone does no harm', async () => {
    const answer = await upload(server, [
      ...textFields(),
      file('report_html', 'x'),
      text('report_label_html', 'Отчёт 报告 🎉 "<b>"'),
      text('report_label_other', 'nothing'),
    ]);
    expect(answer.reports).toMatchObject([{ type: 'html', label: 'Отчёт 报告 🎉 "<b>"' }]);
  });

  it('may be empty', async () => {
    const answer = await upload(server, [...textFields(), file('report_html', ''), file('trace_0', '')]);
    expect(await readStored(server, answer.reports[0]!.path)).toHaveLength(0);
    expect(await readStored(server, answer.traces[0]!.path)).toHaveLength(0);
  });
});

describe('text', () => {
  it('of every alphabet comes back as it was sent', async () => {
    const projectName = newName('проект 项目 🎉 é');
    const title = 'платит картой › 支払い 🎉 e\u0301 "quoted" \\ \u2028';
    const metadata = { ключ: ['值', { '🎉': null }] };
    const { testRunId } = await upload(server, [
      text('projectName', projectName),
      json('testRun', runFields({ metadata, branch: 'ветка/枝', startTime: '2026-03-01T12:00:00+02:00' })),
      json('testCases', [testCase({ title, location: 'тесты/支.spec.ts:3:5', error: 'ошибка 🎉' })]),
    ]);
    const run = await getRun(testRunId);
    expect(run).toMatchObject({ metadata, branch: 'ветка/枝', startTime: minute(0), project: { name: projectName } });
    expect(run.testCases).toMatchObject([{ title, location: 'тесты/支.spec.ts:3:5', error: 'ошибка 🎉' }]);
  });

  it('of many megabytes in testCases is read', async () => {
    const cases = Array.from({ length: 1_500 }, (_, index) =>
      testCase({ title: `case ${index}`, status: 'failed', error: `${index} ${'é'.repeat(1_500)}` }),
    );
    const [projectName, testRun] = textFields();
    const { testRunId } = await upload(server, [
      projectName!,
      testRun!,
      json('testCases', cases),
      file('trace_1499', 'x'),
    ]);
    const run = await server.client.getRun({ params: { id: testRunId }, query: { details: false } });
    expect(run.testCases.map(({ error }) => error)).toEqual(cases.map(({ error }) => error));
  });

  it('has spaces around the project name removed and escapes in JSON understood', async () => {
    const projectName = newName();
    const { testRunId } = await upload(server, [
      text('projectName', `  ${projectName}\t`),
      text('testRun', ' {"status":"p\\u0061ssed","startTime":"2026-03-01T10:00:00Z"}\n'),
    ]);
    expect(await getRun(testRunId)).toMatchObject({ status: 'passed', project: { name: projectName } });
  });
});

describe('what may be left out', () => {
  it('testCases, and then the counts are as sent', async () => {
    const { testRunId } = await upload(server, [
      text('projectName', newName()),
      json('testRun', runFields({ totalTests: 7 })),
    ]);
    expect(await getRun(testRunId)).toMatchObject({ totalTests: 7, testCases: [] });
  });

  it('counts, which are then taken from the cases', async () => {
    const cases = [testCase(), testCase({ title: 'b', status: 'failed' }), testCase({ title: 'c', status: 'skipped' })];
    const fields = [text('projectName', newName()), json('testRun', runFields()), json('testCases', cases)];
    const { testRunId } = await upload(server, fields);
    expect(await getRun(testRunId)).toMatchObject({ totalTests: 3, passedTests: 1, failedTests: 1, skippedTests: 1 });
  });

  it('nothing else: parts and fields that are not known are ignored', async () => {
    const answer = await sendForm(server, [
      text('unknown', 'x'),
      file('attachment', uniqueBytes(200_000)),
      text('reports', '[]'),
      text('trace', 'x'),
      text('__proto__', '{"a":1}'),
      text('constructor', 'x'),
      ...textFields(),
    ]);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ reports: [], traces: [] });
  });
});
