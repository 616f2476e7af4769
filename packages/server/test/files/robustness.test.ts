import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../conformance/wire.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { tarGzOf, zipOf } from './archives.ts';
import {
  BOUNDARY,
  type Part,
  UPLOAD,
  encodeForm,
  file,
  formHeaders,
  sendForm,
  text,
  textFields,
  uniqueBytes,
  upload,
} from './form.ts';
import { filesIn } from './stored.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ stallMs: STALL_MS });
});
afterAll(() => server.stop());

const STALL_MS = 700;
const PATIENCE_MS = 30_000;

const post = (body: Buffer, patienceMs = PATIENCE_MS): Promise<Response> =>
  fetch(`${server.url}${UPLOAD}`, {
    method: 'POST',
    headers: formHeaders(),
    body: body,
    signal: AbortSignal.timeout(patienceMs),
  });

const expectClear = async (response: Response): Promise<void> => {
  if (response.status === 200) expect(await response.json()).toMatchObject({ success: true });
  else {
    expect(response.status).toBeLessThan(500);
    await expectError(response, response.status);
  }
};

describe('a form with changed bytes', () => {
  it('is taken or clearly refused', async () => {
    const body = encodeForm([
      file('report_html', await zipOf({ 'index.html': '<!doctype html>', 'a.txt': 'a'.repeat(200) })),
      file('report_other', await tarGzOf({ 'index.html': '<!doctype html>' })),
      file('trace_0', 'x'),
      text('report_label_html', 'é'),
      ...textFields('changed'),
    ]);
    const changes = fc.array(fc.tuple(fc.nat(body.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(60), async (list, removed) => {
        const changed = Buffer.from(body);
        for (const [at, value] of list) changed[at] = value;
        const from = list[0]![0];
        const sent = Buffer.concat([changed.subarray(0, from), changed.subarray(from + removed)]);
        await expectClear(await post(sent));
      }),
      { numRuns: draws(30, 200), seed: 5 },
    );
    await expect.poll(() => filesIn(server.dataDir, 'staging')).toEqual([]);
  });
});

describe('a part whose head never ends', () => {
  const disposition = 'Content-Disposition: form-data; name="trace_0"; filename="x"';
  const valid = String(encodeForm(textFields('endless')));

  const bodies = [
    `--${BOUNDARY}\r\n${disposition}\r\n--${BOUNDARY}--\r\n`,
    `--${BOUNDARY}\r\n${disposition}\r\n${valid}`,
    `--${BOUNDARY}\r\n${disposition}\r\ncontent\r\n${valid}`,
    `--${BOUNDARY}\r\n${disposition}\r\n\rcontent\r\n${valid}`,
  ];

  it('is refused, and never leaves the client without an answer', async () => {
    const answers = await Promise.all(bodies.map((body) => post(Buffer.from(body), STALL_MS * 4)));
    for (const answer of answers) await expectError(answer, 400, 'invalid_body');
  });
});

describe('a form of odd parts', () => {
  const part = (head: string, content = 'x'): string => `--${BOUNDARY}\r\n${head}\r\n\r\n${content}\r\n`;
  const valid = encodeForm(textFields('odd'));

  it.each([
    ['no headers', part('')],
    ['no disposition', part('Content-Type: text/plain')],
    ['another disposition', part('Content-Disposition: attachment; name="a"')],
    ['an empty name', part('Content-Disposition: form-data; name=""')],
    ['an open quote', part('Content-Disposition: form-data; name="a')],
    ['a long name', part(`Content-Disposition: form-data; name="${'n'.repeat(50_000)}"`)],
    ['a long header', part(`Content-Disposition: form-data; name="a"\r\nX-Long: ${'h'.repeat(200_000)}`)],
    ['many headers', part(`Content-Disposition: form-data; name="a"${'\r\nX-A: b'.repeat(5_000)}`)],
    ['an encoding', part('Content-Disposition: form-data; name="report_html"\r\nContent-Transfer-Encoding: base64')],
    ['an odd type', part('Content-Disposition: form-data; name="report_html"\r\nContent-Type: ;;;/')],
    ['an extended name', part('Content-Disposition: form-data; name="trace_0"; filename*=UTF-8\'\'%e2%82%ac%zz')],
    ['an unknown charset', part('Content-Disposition: form-data; name="trace_0"; filename*=nothing\'\'a')],
    ['a NUL in its name', part('Content-Disposition: form-data; name="a\0b"')],
    ['the name of a method', part('Content-Disposition: form-data; name="toString"')],
  ])('with %s is taken or clearly refused', async (_, odd) => {
    await expectClear(await post(Buffer.concat([Buffer.from(odd), valid])));
    await expectClear(
      await post(Buffer.concat([valid.subarray(0, -(BOUNDARY.length + 6)), Buffer.from(`${odd}--${BOUNDARY}--`)])),
    );
  });

  it('with a great many parts is taken or clearly refused', async () => {
    // More than a form may have.
    const many = (build: (index: number) => Part): Part[] => Array.from({ length: 10_100 }, (_, index) => build(index));
    await expectClear(await sendForm(server, [...textFields('odd'), ...many((index) => text(`unknown${index}`, 'x'))]));
    await expectClear(
      await sendForm(server, [...textFields('odd'), ...many((index) => text(`report_label_${index}`, 'x'))]),
    );
  });

  it('with many reports and traces is taken', async () => {
    const reports = Array.from({ length: 60 }, (_, index) => file(`report_type${index}`, uniqueBytes()));
    const traces = Array.from({ length: 60 }, (_, index) => file(`trace_${index % 2}`, uniqueBytes()));
    const answer = await upload(server, [...reports, ...textFields('odd'), ...traces]);
    expect(answer.reports).toHaveLength(60);
    expect(answer.traces).toHaveLength(60);
  });
});

describe('many uploads at once', () => {
  it('are all answered', async () => {
    const zip = await zipOf({ 'index.html': '<!doctype html>', 'a.bin': uniqueBytes(100_000) });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        upload(server, [file('report_html', zip), file('trace_1', uniqueBytes()), ...textFields('many')]),
      ),
    );
    expect(new Set(answers.map(({ testRunId }) => testRunId)).size).toBe(30);
    expect(new Set(answers.map(({ reportPath }) => reportPath)).size).toBe(30);
  });
});
