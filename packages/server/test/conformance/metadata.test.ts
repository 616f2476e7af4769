import { join } from 'node:path';
import { MAX_METADATA_BYTES } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { UPLOAD, encodeForm, formHeaders, json, runFields, text } from '../files/form.ts';
import { inDatabase } from '../in-database.ts';
import { newFolder } from '../robustness/service-process.ts';
import { type TestServer, sharedServer, startTestServer } from '../server.ts';
import { minute, newName, submission } from './build.ts';
import { SUBMIT, expectIssue, request, sendJson } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

/** Metadata whose JSON has exactly so many bytes. */
const ofBytes = (bytes: number): { note: string } => ({ note: `ü${'x'.repeat(bytes - '{"note":"ü"}'.length - 1)}` });

describe('metadata of a run', () => {
  it('may have 64 KB as JSON', async () => {
    const metadata = ofBytes(MAX_METADATA_BYTES);
    expect(Buffer.byteLength(JSON.stringify(metadata))).toBe(64 * 1024);
    const { testRunId } = await server.client.submitRun({ body: submission({ metadata }) });
    expect((await server.client.getRun({ params: { id: testRunId } })).metadata).toEqual(metadata);
  });

  it('is refused above that, with the name of the field, whichever way it comes', async () => {
    const projectName = newName();
    const metadata = ofBytes(MAX_METADATA_BYTES + 1);
    await expectIssue(await sendJson(server, 'POST', SUBMIT, submission({ projectName, metadata })), '/metadata');
    const start = { projectName, startTime: minute(0), runKey: 'key', metadata };
    await expectIssue(await sendJson(server, 'POST', '/api/test-runs/start', start), '/metadata');
    const form = encodeForm([text('projectName', projectName), json('testRun', runFields({ metadata }))]);
    const upload = await request(server, UPLOAD, {
      method: 'POST',
      headers: formHeaders(),
      body: new Uint8Array(form),
    });
    await expectIssue(upload, '/testRun/metadata');
    expect((await server.client.listProjects()).map(({ name }) => name)).not.toContain(projectName);
  });

  it('says who made a commit and why, in lists too, of whole runs and of runs in shards', async () => {
    const projectName = newName();
    const scm = { branch: 'main', author: 'Ada', message: 'Mend the basket\n\nIt lost items.' };
    const whole = await server.client.submitRun({ body: submission({ projectName, metadata: { scm } }) });
    const shard = { projectName, runKey: newName('key'), shard: { index: 1, total: 2 }, startTime: minute(1) };
    await server.client.submitRun({ body: submission({ ...shard, metadata: { git: { author: 'Bob' } } }) });
    await server.client.submitRun({ body: submission({ projectName, startTime: minute(2), metadata: { author: 7 } }) });
    const { testRuns } = await server.client.getProject({ params: { id: whole.projectId } });
    expect(testRuns.map(({ author, commitMessage }) => ({ author, commitMessage }))).toEqual([
      { author: null, commitMessage: null },
      { author: 'Bob', commitMessage: null },
      { author: 'Ada', commitMessage: 'Mend the basket' },
    ]);
  });

  it('that was stored before there was a limit harms no answer', async () => {
    using folder = newFolder();
    const dataDir = join(folder.path, 'data');
    let ids: { testRunId: number; projectId: number };
    {
      await using before = await startTestServer({ dataDir });
      ids = await before.client.submitRun({ body: submission({ metadata: { small: true } }) });
    }
    await inDatabase(dataDir, 'UPDATE runs SET metadata = ?', JSON.stringify({ large: 'x'.repeat(6_000_000) }));
    await using after = await startTestServer({ dataDir });
    const run = await after.client.getRun({ params: { id: ids.testRunId } });
    expect(run.metadata).toBeNull();
    expect((await after.client.getTestCase({ params: { id: run.testCases[0]!.id } })).testRun.metadata).toBeNull();
    expect((await after.client.getProject({ params: { id: ids.projectId } })).testRuns).toHaveLength(1);
  });

  it('names the environment, the pull request, the base, and whether tests were left out', async () => {
    const projectName = newName();
    const told = {
      environment: ' staging ',
      filtered: true,
      scm: { baseCommit: 'ba5e', pullRequest: { number: 12, link: 'https://example.org/12' } },
    };
    const odd = { environment: 7, filtered: 'yes', scm: { baseCommit: '', pullRequest: { number: -1 } } };
    for (const [at, metadata] of [told, { filtered: false }, odd, null].entries()) {
      await server.client.submitRun({ body: submission({ projectName, startTime: minute(at), metadata }) });
    }
    const shard = { projectName, startTime: minute(4), runKey: 'k' };
    await server.client.submitRun({ body: submission({ ...shard, shard: { index: 1, total: 2 }, metadata: told }) });
    await server.client.submitRun({ body: submission({ ...shard, shard: { index: 2, total: 2 }, metadata: told }) });
    const project = (await server.client.listProjects()).find(({ name }) => name === projectName);
    const { testRuns } = await server.client.getProject({ params: { id: project!.id } });
    const NOTHING = { environment: null, pullRequest: null, baseCommit: null, filtered: null };
    const read = { environment: 'staging', pullRequest: 12, baseCommit: 'ba5e', filtered: true };
    expect(
      testRuns.map(({ environment, pullRequest, baseCommit, filtered }) => ({
        environment,
        pullRequest,
        baseCommit,
        filtered,
      })),
    ).toEqual([read, NOTHING, NOTHING, { ...NOTHING, filtered: false }, read]);
  });
});
