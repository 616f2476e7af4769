import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testCase } from '../conformance/build.ts';
import { HUGE, expectError, expectIssue, jsonText, pathsOf } from '../conformance/wire.ts';
import { emptyServer, type TestServer } from '../server.ts';
import { zipOf } from './archives.ts';
import {
  type Part,
  UPLOAD,
  encodeForm,
  file,
  json,
  runFields,
  sendForm,
  text,
  textFields,
  uniqueBytes,
} from './form.ts';
import { expectNothingStored } from './stored.ts';

let server: TestServer;
beforeAll(async () => {
  server = await emptyServer();
});
afterEach(() => expectNothingStored(server));

const files = async (): Promise<Part[]> => [
  file('report_html', await zipOf({ 'index.html': '<!doctype html>', 'a.txt': 'a'.repeat(5_000) })),
  file('trace_0', uniqueBytes(10_000)),
];

/** Valid but for some parts, which are replaced or, when undefined, left out. Files come first, so that they are there. */
const formWith = async (parts: Record<string, Part | undefined>): Promise<Part[]> => [
  ...(await files()),
  ...textFields().flatMap((part) => (part.name in parts ? (parts[part.name] ?? []) : [part])),
  ...Object.values(parts).flatMap((part) =>
    part && !['projectName', 'testRun', 'testCases'].includes(part.name) ? [part] : [],
  ),
];

const sendWith = async (parts: Record<string, Part | undefined>): Promise<Response> =>
  sendForm(server, await formWith(parts));

describe('a body that is no form', () => {
  const post = (headers: Record<string, string>, body?: string | Buffer): Promise<Response> =>
    fetch(`${server.url}${UPLOAD}`, { method: 'POST', headers, body: body });

  it.each([
    ['JSON', 'application/json', '{"projectName":"x"}'],
    ['text', 'text/plain', 'x'],
    ['a query', 'application/x-www-form-urlencoded', 'projectName=x'],
    ['bytes', 'application/octet-stream', 'x'],
    ['another multipart', 'multipart/mixed; boundary=b', '--b--'],
  ])('but %s is refused', async (_, type, body) => {
    const answer = await post({ 'content-type': type }, body);
    expect([400, 415]).toContain(answer.status);
    await expectError(answer, answer.status);
  });

  it('but said to be compressed is refused', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' };
    const error = await expectError(await post(headers, gzipSync('--b--')), 400, 'invalid_body');
    expect(error.message).toContain('Content-Encoding');
  });

  it('nor anything else is refused', async () => {
    const answer = await post({});
    expect([400, 415]).toContain(answer.status);
    await expectError(answer, answer.status);
  });

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${'b'.repeat(5_000)}`,
  ])('because it has no usable boundary is refused: row %#', async (type) => {
    await expectError(await post({ 'content-type': type }, encodeForm(textFields())), 400, 'invalid_body');
  });

  it.each([
    ['is empty', ''],
    ['has another boundary', encodeForm(textFields(), 'other')],
    ['has no parts', '--assay-form-boundary--\r\n'],
    ['has a part without a name', '--assay-form-boundary\r\n\r\nx\r\n--assay-form-boundary--\r\n'],
    ['is only bytes', uniqueBytes(100_000)],
  ])('because it %s is refused', async (_, body) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=assay-form-boundary' };
    await expectError(await post(headers, body), 400, 'invalid_body');
  });
});

describe('a field that is missing is named', () => {
  it.each(['projectName', 'testRun'])('%s', async (name) => {
    await expectIssue(await sendWith({ [name]: undefined }), `/${name}`);
  });

  it('both of them', async () => {
    const error = await expectError(await sendForm(server, await files()), 400, 'invalid_body');
    expect(pathsOf(error)).toEqual(expect.arrayContaining(['/projectName', '/testRun']));
  });
});

describe('a project name that cannot be', () => {
  it.each(['', '   ', 'x'.repeat(201), 'nul\0'])('is named: %j', async (name) => {
    await expectIssue(await sendWith({ projectName: text('projectName', name) }), '/projectName');
  });
});

describe('JSON that cannot be read names its field', () => {
  it.each(['', '{', '{"status":', 'undefined', '{} {}', "{'status':'passed'}", '{"a":NaN}', '\u0000', 'é'])(
    'testRun: %j',
    async (content) => {
      await expectIssue(await sendWith({ testRun: text('testRun', content) }), '/testRun');
    },
  );

  it.each(['[', '[{]', '[{"title":"a"},]', 'x', '[] []', '['.repeat(200_000)])('testCases: row %#', async (content) => {
    await expectIssue(await sendWith({ testCases: text('testCases', content) }), '/testCases');
  });

  it.each(['[]', '"text"', 'null', '5', 'true'])('testRun that is no object: %s', async (content) => {
    await expectIssue(await sendWith({ testRun: text('testRun', content) }), '/testRun');
  });

  it.each(['{}', '"text"', '5', 'true'])('testCases that is no array: %s', async (content) => {
    await expectIssue(await sendWith({ testCases: text('testCases', content) }), '/testCases');
  });
});

describe('a field of the wrong type is named', () => {
  it.each<[string, unknown]>([
    ['status', undefined],
    ['status', 5],
    ['status', ''],
    ['startTime', undefined],
    ['startTime', 'yesterday'],
    ['startTime', 1_767_225_600_000],
    ['duration', -1],
    ['duration', HUGE],
    ['totalTests', 1.5],
    ['passedTests', -1],
    ['failedTests', '3'],
    ['skippedTests', []],
    ['branch', 5],
    ['runKey', ''],
  ])('/testRun/%s: %j', async (field, value) => {
    const testRun = text('testRun', jsonText(runFields({ [field]: value })));
    await expectIssue(await sendWith({ testRun }), `/testRun/${field}`);
  });

  it.each<[string, unknown]>([
    ['title', undefined],
    ['title', ''],
    ['status', 5],
    ['duration', -1],
    ['retries', 0.5],
    ['location', {}],
    ['error', []],
    ['steps', 'x'],
    ['networkRequests', [{ method: 'GET' }]],
  ])('/testCases/3/%s: %j', async (field, value) => {
    const cases = Array.from({ length: 5 }, (_, index) => testCase({ title: `${index}` }));
    const testCases = json('testCases', cases.with(3, { ...testCase(), [field]: value }));
    const error = await expectError(await sendWith({ testCases }), 400, 'invalid_body');
    expect(pathsOf(error).every((path) => path.startsWith(`/testCases/3/${field}`))).toBe(true);
    expect(pathsOf(error)).not.toEqual([]);
  });

  it('and so are mistakes of the run and of its cases together', async () => {
    const parts = { testRun: json('testRun', { status: 5 }), testCases: json('testCases', [{ status: 'passed' }]) };
    const error = await expectError(await sendWith(parts), 400, 'invalid_body');
    expect(pathsOf(error)).toEqual(
      expect.arrayContaining(['/testRun/status', '/testRun/startTime', '/testCases/0/title']),
    );
  });
});

describe('a report', () => {
  it.each(['', 'HTML', 'x'.repeat(41), 'a b', 'a.b', '../x', 'a/b', 'é', 'a%00'])(
    'of the type %j is refused by its part',
    async (type) => {
      await expectIssue(
        await sendWith({ x: file(`report_${type}`, uniqueBytes()) }),
        `/report_${type}`.replace('/x', '~1x').replace('a/b', 'a~1b'),
      );
    },
  );

  it.each([
    ['report_html', 'report_html'],
    ['htmlReport', 'report_html'],
    ['report_html', 'htmlReport'],
  ])('that comes twice is refused: %s and %s', async (first, second) => {
    const parts = [...textFields(), file(first, uniqueBytes()), file(second, uniqueBytes())];
    const error = await expectError(await sendForm(server, parts), 400, 'invalid_body');
    expect(pathsOf(error)).toHaveLength(1);
    expect(['/report_html', '/htmlReport']).toContain(pathsOf(error)[0]);
  });
});

describe('a field that may come once', () => {
  it.each(['projectName', 'testRun', 'testCases', 'report_label_html'])(
    '%s is refused when it comes twice',
    async (name) => {
      const parts = [...textFields(), file('report_html', 'x'), text('report_label_html', 'x')];
      await expectIssue(await sendForm(server, [...parts, parts.find((part) => part.name === name)!]), `/${name}`);
    },
  );
});

describe('a label', () => {
  it('of more than 200 characters is refused', async () => {
    await expectIssue(await sendWith({ x: text('report_label_html', 'x'.repeat(201)) }), '/report_label_html');
  });
});

describe('a trace', () => {
  it.each(['2', '7', '1000000', '99999999999999999999'])(
    'of the case %s, which is not there, is refused',
    async (index) => {
      await expectIssue(await sendWith({ x: file(`trace_${index}`, 'x') }), `/trace_${index}`);
    },
  );

  it.each(['-1', '1.5', '', 'x', '0x1', '1e0', '+1'])(
    'of the case %j, which is no index, is refused',
    async (index) => {
      await expectIssue(await sendWith({ x: file(`trace_${index}`, 'x') }), `/trace_${index}`);
    },
  );

  it('is refused when there are no cases', async () => {
    await expectIssue(await sendWith({ testCases: undefined }), '/trace_0');
  });

  it('that comes before the cases is refused just the same', async () => {
    const answer = await sendForm(server, [file('trace_2', uniqueBytes(300_000)), ...textFields()]);
    await expectIssue(answer, '/trace_2');
  });
});

describe('a body that was cut off', () => {
  it('anywhere is refused', async () => {
    const body = encodeForm([...(await files()), ...textFields()]);
    const end = body.length - 4;
    const cuts = [...Array.from({ length: 60 }, (_, index) => Math.floor((end * index) / 60)), end, end - 1, end - 20];
    for (const cut of cuts) {
      const answer = await fetch(`${server.url}${UPLOAD}`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=assay-form-boundary' },
        body: body.subarray(0, cut),
      });
      expect(answer.status, `cut at ${cut} of ${body.length}`).toBe(400);
      await expectError(answer, 400, 'invalid_body');
    }
  });
});

describe('a method that is none of the interface', () => {
  it.each(['GET', 'PUT', 'DELETE'])('%s is refused', async (method) => {
    const answer = await fetch(`${server.url}${UPLOAD}`, { method });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

describe('text in bytes that are no UTF-8', () => {
  const bytes = Buffer.from([0x61, 0xff, 0xfe, 0x62]);

  it('is refused as the name of a project', async () => {
    const [, ...rest] = textFields();
    await expectIssue(await sendForm(server, [{ name: 'projectName', content: bytes }, ...rest]), '/projectName');
  });

  it('is refused as the label of a report', async () => {
    const parts = [...textFields(), file('report_html', 'x'), { name: 'report_label_html', content: bytes }];
    await expectIssue(await sendForm(server, parts), '/report_label_html');
  });

  it('is refused inside JSON', async () => {
    const content = Buffer.concat([
      Buffer.from('{"status":"'),
      bytes,
      Buffer.from('","startTime":"2026-03-01T10:00:00Z"}'),
    ]);
    const parts = [text('projectName', 'x'), { name: 'testRun', content }];
    await expectIssue(await sendForm(server, parts), '/testRun');
  });
});
