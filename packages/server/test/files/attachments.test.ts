import { type TestCaseDetails, type UploadReply, MAX_ATTACHMENTS_PER_CASE } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { daysAgo, minute, newName, testCase } from '../conformance/build.ts';
import { emptyServer, sharedServer, type TestServer } from '../server.ts';
import {
  type Part,
  encodeForm,
  file,
  filePath,
  formHeaders,
  json,
  rawRequest,
  readStored,
  runFields,
  sendForm,
  text,
  textFields,
  upload,
} from './form.ts';
import { pngOf } from './pictures.ts';
import { expectNoFiles, storedHashes } from './stored.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const attach = (name: string, content: string | Uint8Array, filename: string, type?: string): Part => ({
  name,
  content,
  filename,
  ...(type === undefined ? {} : { type }),
});

const shot = (name: string, picture = pngOf(80, 60)): Part => attach(name, picture, 'screenshot.png', 'image/png');

const casesOf = async ({ testRunId }: Pick<UploadReply, 'testRunId'>): Promise<TestCaseDetails[]> => {
  const { testCases } = await server.client.getRun({ params: { id: testRunId } });
  return Promise.all(testCases.map(({ id }) => server.client.getTestCase({ params: { id } })));
};

describe('attachments of a run', () => {
  it('are told with their case, attempt, type and size, and read back byte for byte', async () => {
    const picture = pngOf(80, 60);
    const answer = await upload(server, [
      shot('attachment_1_1', picture),
      attach('attachment_0', 'what was printed', 'notes.txt', 'text/plain'),
      ...textFields(),
    ]);
    expect(answer.attachments).toEqual([
      { testCaseIndex: 0, attempt: 0, name: 'notes.txt', path: expect.any(String) },
      { testCaseIndex: 1, attempt: 1, name: 'screenshot.png', path: expect.any(String) },
    ]);
    const [first, second] = await casesOf(answer);
    expect(first!.attachments).toMatchObject([
      { name: 'notes.txt', contentType: 'text/plain', size: 16, attempt: 0, width: null, height: null },
    ]);
    expect(second!.attachments).toMatchObject([
      { name: 'screenshot.png', contentType: 'image/png', size: picture.length, attempt: 1, width: 80, height: 60 },
    ]);
    expect(await readStored(server, second!.attachments[0]!.path)).toEqual(picture);
    const part = await rawRequest(server, filePath(second!.attachments[0]!.path), { range: 'bytes=1-3' });
    expect([part.status, part.body.toString('latin1')]).toEqual([206, 'PNG']);
  });

  it('belong to the attempt that their case is, where attempts are sent as cases of their own', async () => {
    const attempt = (retry: number, status: string) => testCase({ title: 'flickers', status, retry });
    const answer = await upload(server, [
      text('projectName', newName()),
      json('testRun', runFields()),
      json('testCases', [attempt(0, 'failed'), testCase({ title: 'other' }), attempt(1, 'passed')]),
      shot('attachment_0'),
      shot('attachment_2', pngOf(1, 1)),
    ]);
    const [flickers] = await casesOf(answer);
    expect(flickers!.attachments.map(({ attempt: number, width }) => [number, width])).toEqual([
      [0, 80],
      [1, 1],
    ]);
  });

  it('give a failed or flaky result of a list its picture: of the last attempt that failed, and what the test saw', async () => {
    const cases = [
      testCase({ title: 'compared', status: 'failed' }),
      testCase({ title: 'flaky', status: 'passed', retries: 1 }),
      testCase({ title: 'passed' }),
      testCase({ title: 'huge', status: 'failed' }),
    ];
    const answer = await upload(server, [
      text('projectName', newName()),
      json('testRun', runFields({ status: 'failed' })),
      json('testCases', cases),
      ...['home-expected.png', 'home-diff.png', 'home-actual.png'].map((name) =>
        attach('attachment_0_1', pngOf(2, 2), name, 'image/png'),
      ),
      shot('attachment_0_0'),
      shot('attachment_1_0'),
      attach('attachment_1_1', pngOf(2, 2), 'passed.png', 'image/png'),
      shot('attachment_2_0'),
      shot('attachment_3_0', pngOf(40_000, 40_000)),
    ]);
    const { testCases } = await server.client.getRun({ params: { id: answer.testRunId } });
    expect(testCases.map(({ picture }) => picture?.replace(/^.*\//, ''))).toEqual([
      'home-actual.png',
      'screenshot.png',
      undefined,
      undefined,
    ]);
    expect((await casesOf(answer))[3]!.attachments).toMatchObject([{ width: 40_000, height: 40_000 }]);
  });

  it('have names without folders, control characters and marks of direction, and never too long ones', async () => {
    const names = [
      '../../etc/passwd',
      'C:\\shots\\a.png',
      'bell\u0007.txt',
      '..',
      'cod\u202Egnp.exe',
      `${'n'.repeat(400)}.png`,
    ];
    const answer = await upload(server, [
      ...textFields(),
      ...names.map((name) => attach('attachment_0', 'x', name, 'application/octet-stream')),
    ]);
    const [{ attachments }] = (await casesOf(answer)) as [TestCaseDetails];
    expect(attachments.map(({ name }) => name)).toEqual([
      'passwd',
      'a.png',
      'bell.txt',
      'attachment',
      'codgnp.exe',
      `${'n'.repeat(195)}….png`,
    ]);
    for (const { path } of attachments) expect((await rawRequest(server, `/api/files/${path}`)).status).toBe(200);
  });

  it('have the type of their name where the sender says none in particular', async () => {
    const answer = await upload(server, [
      ...textFields(),
      attach('attachment_0', pngOf(3, 4), 'a.png'),
      attach('attachment_0', '{}', 'b.json', 'application/octet-stream'),
      attach('attachment_0', 'x', 'c', 'nonsense'),
      attach('attachment_0', 'x', 'd', 'image/png'),
    ]);
    const [{ attachments }] = (await casesOf(answer)) as [TestCaseDetails];
    expect(attachments.map(({ contentType, width }) => [contentType, width])).toEqual([
      ['image/png', 3],
      ['application/json', null],
      ['application/octet-stream', null],
      ['image/png', null],
    ]);
  });
});

describe('attachments that cannot be taken', () => {
  const refused = async (...parts: Part[]): Promise<unknown> => {
    const response = await sendForm(server, [...textFields('refused'), ...parts]);
    const { issues } = (await response.json()) as { issues: { path: string }[] };
    return [response.status, issues.map(({ path }) => path)];
  };

  it('are refused by the name of their part, with all of the run', async () => {
    expect(await refused(shot('attachment_2'))).toEqual([400, ['/attachment_2']]);
    expect(await refused(shot('attachment_2_1'), shot('attachment_0'))).toEqual([400, ['/attachment_2_1']]);
    expect(await refused(shot('attachment_first'))).toEqual([400, ['/attachment_first']]);
    expect(await refused(shot('attachment_0_1000'))).toEqual([400, ['/attachment_0_1000']]);
    expect(await refused(shot('attachment_0_-1'))).toEqual([400, ['/attachment_0_-1']]);
    const tooMany = Array.from({ length: MAX_ATTACHMENTS_PER_CASE + 1 }, () => shot('attachment_1'));
    expect(await refused(...tooMany)).toEqual([400, ['/attachment_1']]);
    expect((await server.client.listProjects()).map(({ name }) => name)).not.toContain('refused');
  });
});

describe('attachments of a live run', () => {
  const sendFiles = (id: number, part: number, ...files: Part[]): Promise<Response> =>
    fetch(`${server.url}/api/test-runs/${id}/files`, {
      method: 'POST',
      body: encodeForm([text('part', `${part}`), ...files]),
      headers: formHeaders(),
    });

  it('arrive while it runs, once however often they are sent, and move with attempts that are joined', async () => {
    const { testRunId: id, part } = await server.client.startRun({
      headers: { 'idempotency-key': newName() },
      body: { projectName: newName(), startTime: minute(0) },
    });
    const testCases = [
      testCase({ title: 'flickers', status: 'failed', retry: 0 }),
      testCase({ title: 'steady' }),
      testCase({ title: 'flickers', retry: 1 }),
    ];
    await server.client.addResults({ params: { id }, body: { part, batch: 0, testCases } });
    const files = [shot('attachment_2'), shot('attachment_1', pngOf(5, 5)), shot('attachment_0')];
    for (let time = 0; time < 2; time++) {
      const response = await sendFiles(id, part, ...files);
      const { attachments } = (await response.json()) as UploadReply;
      expect(attachments.map(({ testCaseIndex }) => testCaseIndex)).toEqual([0, 1, 2]);
    }
    const stray = await sendFiles(id, part, shot('attachment_3_0'));
    expect([stray.status, JSON.stringify(await stray.json())]).toEqual([
      400,
      expect.stringContaining('/attachment_3_0'),
    ]);
    await server.client.finishRun({ params: { id }, body: { part, status: 'passed' } });
    const told = Object.fromEntries(
      (await casesOf({ testRunId: id })).map(({ title, attachments }) => [
        title,
        attachments.map(({ attempt, width }) => [attempt, width]).sort(),
      ]),
    );
    expect(told).toEqual({
      flickers: [
        [0, 80],
        [1, 80],
      ],
      steady: [[0, 5]],
    });
  });
});

describe('what attachments take', () => {
  it('is one content however many runs have it, counted each, and gone with the last of them', async () => {
    const alone = await emptyServer();
    const picture = pngOf(200, 200);
    const send = (startTime: string, ...extra: Part[]): Promise<UploadReply> =>
      upload(alone, [
        text('projectName', 'shop'),
        json('testRun', runFields({ startTime })),
        json('testCases', [testCase({ title: 'a' })]),
        ...Array.from({ length: 10 }, (_, at) => shot(`attachment_0_${at}`, picture)),
        ...extra,
      ]);
    const [first, second] = [await send(daysAgo(40)), await send(daysAgo(1), file('trace_0', picture))];
    expect(storedHashes(alone.dataDir)).toHaveLength(1);
    expect(await alone.client.getStats()).toMatchObject({
      totalAttachments: 20,
      attachmentSizeFromDb: 20 * picture.length,
    });
    const { projects } = await alone.client.getStorage({});
    expect(projects).toMatchObject([{ attachments: 20, fileBytes: 21 * picture.length }]);
    const preview = await alone.client.previewCleanup({ query: { olderThanDays: 30 } });
    expect(preview).toMatchObject({ runs: 1, attachments: 10, fileBytes: 10 * picture.length });
    await alone.client.deleteRun({ params: { id: first.testRunId } });
    expect(await alone.client.getStats()).toMatchObject({ totalAttachments: 10 });
    expect(storedHashes(alone.dataDir)).toHaveLength(1);
    await alone.client.deleteRun({ params: { id: second.testRunId } });
    expect(await alone.client.getStats()).toMatchObject({ totalAttachments: 0, attachmentSizeFromDb: 0 });
    await expectNoFiles(alone.dataDir);
  });
});
