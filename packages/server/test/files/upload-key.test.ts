import { randomUUID } from 'node:crypto';
import type { UploadReply } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName } from '../conformance/build.ts';
import { expectError } from '../conformance/wire.ts';
import { emptyServer, type TestServer } from '../server.ts';
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
import { filesIn, storedHashes } from './stored.ts';

let server: TestServer;
beforeAll(async () => {
  server = await emptyServer();
});

type Send = (key: string, projectName: string, files: readonly Part[]) => Promise<UploadReply>;

const ways: [string, Send][] = [
  [
    'the header Idempotency-Key',
    (key, projectName, files) => upload(server, [...files, ...textFields(projectName)], { 'idempotency-key': key }),
  ],
  [
    'the field runKey of testRun',
    (key, projectName, files) => {
      const [name, , cases] = textFields(projectName);
      return upload(server, [...files, name!, json('testRun', runFields({ runKey: key })), cases!]);
    },
  ],
];

const figures = async () => {
  const { storageSizeOnDisk: _, databaseSizeOnDisk: __, ...rest } = await server.client.getStats();
  return { ...rest, blobs: storedHashes(server.dataDir) };
};

describe.each(ways)('the same key again by %s', (_, send) => {
  it('answers the same run with its files and stores nothing twice', async () => {
    const [key, name] = [randomUUID(), newName()];
    const files = [
      file('report_html', uniqueBytes()),
      file('report_blob', uniqueBytes()),
      file('trace_1', uniqueBytes()),
    ];
    const first = await send(key, name, files);
    const before = await figures();
    expect(await send(key, name, files)).toEqual(first);
    expect(await figures()).toEqual(before);
    expect(filesIn(server.dataDir, 'staging')).toEqual([]);
  });

  it('with other files keeps the files of the first time', async () => {
    const [key, name, content] = [randomUUID(), newName(), uniqueBytes()];
    const first = await send(key, name, [file('report_html', content)]);
    const before = await figures();
    expect(await send(key, name, [file('report_html', uniqueBytes()), file('trace_0', uniqueBytes())])).toEqual(first);
    expect(await readStored(server, first.reportPath!)).toEqual(content);
    await expect.poll(figures).toEqual(before);
  });

  it('at the same moment is one run', async () => {
    const [key, name] = [randomUUID(), newName()];
    const files = [file('report_html', uniqueBytes(100_000)), file('trace_0', uniqueBytes(1_000))];
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(key, name, files)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const { testRuns } = await server.client.getProject({ params: { id: answers[0]!.projectId } });
    expect(testRuns).toHaveLength(1);
    expect(testRuns[0]!.reports).toHaveLength(1);
  });

  it('after its run was deleted makes a new one', async () => {
    const [key, name, content] = [randomUUID(), newName(), uniqueBytes()];
    const { testRunId } = await send(key, name, [file('report_html', content)]);
    await server.client.deleteRun({ params: { id: testRunId } });
    const again = await send(key, name, [file('report_html', content)]);
    expect(again.testRunId).not.toBe(testRunId);
    expect(await readStored(server, again.reportPath!)).toEqual(content);
  });
});

describe('a key', () => {
  it('that a submission has used answers its run', async () => {
    const [key, projectName] = [randomUUID(), newName()];
    const headers = { 'idempotency-key': key };
    const body = { projectName, status: 'passed', startTime: minute(0) };
    const { testRunId } = await server.client.submitRun({ body, headers });
    const before = await figures();
    const answer = await upload(server, [...textFields(projectName), file('report_html', uniqueBytes())], headers);
    expect(answer).toMatchObject({ testRunId, reports: [], traces: [], reportPath: null });
    await expect.poll(figures).toEqual(before);
  });

  it('that an upload has used answers its run to a submission', async () => {
    const [runKey, projectName] = [randomUUID(), newName()];
    const { testRunId } = await upload(server, [
      text('projectName', projectName),
      json('testRun', runFields({ runKey })),
    ]);
    const body = { projectName, status: 'passed', startTime: minute(0), runKey };
    expect(await server.client.submitRun({ body })).toMatchObject({ testRunId });
  });

  it('of a refused upload is still free', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    await expectError(await sendForm(server, [text('projectName', 'x')], headers), 400, 'invalid_body');
    expect(await upload(server, textFields(), headers)).toMatchObject({ success: true });
  });

  it('that is too long is refused', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(201) };
    await expectError(await sendForm(server, textFields(), headers), 400, 'invalid_header');
  });

  it('is not needed: without one every upload is a new run', async () => {
    const parts = textFields(newName());
    const [first, second] = [await upload(server, parts), await upload(server, parts)];
    expect(first.testRunId).not.toBe(second.testRunId);
    expect(first.projectId).toBe(second.projectId);
  });
});
