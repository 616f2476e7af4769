import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyInstallation } from '../../src/backup/copy-installation.ts';
import { type BackupCommand, manageBackups } from '../../src/cli/backups.ts';
import { OperatorError } from '../../src/operator-error.ts';
import { minute, newName, richCase, submission } from '../conformance/build.ts';
import { textFields, upload } from '../files/form.ts';
import { type Folder, newFolder, serviceMain } from '../robustness/service-process.ts';
import { type TestServer, startTestServer } from '../server.ts';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `assay-server …` on a data folder, in a process of its own. */
const command = async (dataDir: string, ...words: string[]): Promise<Ended> => {
  const env = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], SERVICE_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [serviceMain(), ...words], { env });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
};

/** The same in this process: what it prints, and what it would end with. */
const manage = async (dataDir: string, name: BackupCommand, ...args: string[]) => {
  let printed = '';
  const line = { args, print: (text: string) => (printed += text), progress: () => undefined };
  const refused = await manageBackups({ dataDir, s3: null }, name, line).then(
    () => null,
    (error: unknown) => {
      if (error instanceof OperatorError) return error.message;
      throw error;
    },
  );
  return { refused, printed };
};

const attachment = (content: string) => ({
  name: 'attachment_0',
  content,
  filename: 'notes.txt',
  type: 'text/plain',
});

const answersOf = async ({ client, url }: TestServer, projectId: number) => {
  const project = await client.getProject({ params: { id: projectId } });
  const runs = await Promise.all(project.testRuns.map(({ id }) => client.getRun({ params: { id } })));
  const cases = await Promise.all(
    runs.flatMap(({ testCases }) => testCases.map(({ id }) => client.getTestCase({ params: { id } }))),
  );
  const contents = await Promise.all(
    cases.flatMap(({ attachments }) =>
      attachments.map(async ({ path }) => (await fetch(`${url}/api/files/${path}`)).text()),
    ),
  );
  return { project, runs, cases, contents, tests: await client.listTests({ params: { id: projectId } }) };
};

const blobsIn = (folder: string): string[] =>
  readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe('a backup', () => {
  it('of a running service is restored with every answer and file, and copies only what is new', async () => {
    using folder = newFolder();
    const [data, copy, other] = ['data', 'copy', 'other'].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(data);
    let before;
    let projectId;
    {
      await using server = await startTestServer({ dataDir: data, databaseUrl: null });
      const projectName = newName();
      ({ projectId } = await server.client.submitRun({ body: submission({ projectName, testCases: [richCase()] }) }));
      const fields = textFields(projectName);
      const first = await upload(server, [attachment('first'), ...fields]);
      await upload(server, [attachment('second'), ...fields]);
      expect(await command(data, 'backup', copy)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Copied 3 runs and 2 files to .*: 2 new, 0 MB\.\n$/),
      });
      await server.client.deleteRun({ params: { id: first.testRunId } });
      await upload(server, [attachment('third'), ...fields]);
      before = await answersOf(server, projectId);
      const { printed } = await manage(data, 'backup', copy);
      expect(printed).toContain('1 new, 0 MB, 1 file of an earlier copy deleted');
      expect(before.contents.toSorted()).toEqual(['second', 'third']);
      expect(blobsIn(copy)).toHaveLength(2);
      expect((await command(data, 'verify')).stdout).toMatch(
        /^Read 3 runs with .* and 2 files in .*: nothing is damaged/,
      );
      for (const inside of [data, join(data, 'copy')]) {
        expect((await manage(data, 'backup', inside)).refused).toContain('is in the folder that is copied');
      }
      expect((await manage(data, 'restore', copy)).refused).toContain('is not empty');
    }
    expect((await command(other, 'restore', copy)).code).toBe(0);
    await using restored = await startTestServer({ dataDir: other, databaseUrl: null });
    expect(await answersOf(restored, projectId)).toEqual(before);
    expect((await restored.client.submitRun({ body: submission() })).success).toBe(true);
  });

  it('made while runs come and go is whole', async () => {
    using folder = newFolder();
    const copy = join(folder.path, 'copy');
    await using server = await startTestServer({ databaseUrl: null });
    const projectName = newName();
    const stop = new AbortController();
    const churn = async (sender: number): Promise<void> => {
      for (let nth = 0; !stop.signal.aborted; nth++) {
        const content = `${sender} ${nth} ${'x'.repeat(2_000)}`;
        const { testRunId } = await upload(server, [attachment(content), ...textFields(projectName)]);
        if (nth % 2 === 0) await server.client.deleteRun({ params: { id: testRunId } });
      }
    };
    const churning = Promise.all([churn(1), churn(2)]);
    for (let nth = 0; nth < 3; nth++) {
      const { missing } = await copyInstallation(server.dataDir, copy);
      expect(missing).toEqual([]);
      expect(await manage(copy, 'verify')).toMatchObject({ refused: null });
    }
    stop.abort();
    await churning;
  });

  it('is of Assay only, and never deletes what is of something else', async () => {
    using folder = newFolder();
    const none = await command(folder.path, 'backup', join(folder.path, 'copy'));
    expect(none).toMatchObject({ code: 1, stderr: `assay-server: There is no data of Assay in ${folder.path}\n` });
    await using server = await startTestServer({ databaseUrl: null });
    writeFileSync(join(folder.path, 'thesis.txt'), 'years of work');
    expect((await manage(server.dataDir, 'backup', folder.path)).refused).toContain('has other files');
    expect(readdirSync(folder.path)).toEqual(['thesis.txt']);
    for (const [name, ...args] of [['backup'], ['backup', 'a', 'b'], ['restore'], ['verify', '--all']] as const) {
      expect((await manage(server.dataDir, name, ...args)).refused).toContain('assay-server backup <folder>');
    }
    const { refused, printed } = await manage(server.dataDir, 'backup', '--help');
    expect([refused, printed.includes('assay-server backup <folder>')]).toEqual([null, true]);
  });
});

describe('what is damaged', () => {
  let whole: Folder;
  beforeAll(async () => {
    whole = newFolder();
    await using server = await startTestServer({ dataDir: whole.path, databaseUrl: null });
    const projectName = 'shop';
    await server.client.submitRun({
      body: submission({ projectName, startTime: minute(1), testCases: [richCase()] }),
    });
    await upload(server, [attachment('first'), ...textFields(projectName)]);
  });
  afterAll(() => whole[Symbol.dispose]());

  const damaged = async (damage: (database: DatabaseSync, folder: string, hash: string) => void) => {
    using folder = newFolder();
    cpSync(whole.path, folder.path, { recursive: true });
    const database = new DatabaseSync(join(folder.path, 'assay.db'), { enableForeignKeyConstraints: false });
    const [hash] = blobsIn(folder.path);
    damage(database, folder.path, hash!);
    database.close();
    return await manage(folder.path, 'verify');
  };
  const cutShort = (table: string, column: string) => (database: DatabaseSync) =>
    database.exec(`UPDATE ${table} SET ${column} = substr(${column}, 1, length(${column}) - 8) WHERE rowid = 1`);

  it.each<[string, (database: DatabaseSync, folder: string, hash: string) => void, RegExp]>([
    ['nothing', () => undefined, /^$/],
    ['results', cutShort('segments', 'results'), /^run 1 of shop: results from 0 on: The block is damaged\n$/],
    ['details', (database) => database.exec("UPDATE details SET data = x'00ff'"), /^run 1: details from 0 on: /],
    [
      'a count',
      (database) => database.exec('UPDATE runs SET result_count = 7 WHERE id = 1'),
      /^run 1 of shop: 1 results are stored, not 7\n$/,
    ],
    [
      'a file that is gone',
      (_, folder, hash) => rmSync(join(folder, 'blobs', hash.slice(0, 2), hash)),
      /^file [0-9a-f]{64}: is missing\n$/,
    ],
    [
      'a file with another content',
      (_, folder, hash) => writeFileSync(join(folder, 'blobs', hash.slice(0, 2), hash), 'other'),
      /^file [0-9a-f]{64}: has another content\n$/,
    ],
    [
      'a row without its run',
      (database) => database.exec('DELETE FROM runs WHERE id = 2'),
      /^database: row \d+ of \w+ refers to a row of runs that is gone\n/,
    ],
  ])('is named: %s', async (what, damage, expected) => {
    const { printed, refused } = await damaged(damage);
    const [, found = printed] = /^([^]*)Read .*nothing is damaged\.\n$/.exec(printed) ?? [];
    expect(found).toMatch(expected);
    if (what === 'nothing') expect(refused).toBeNull();
    else expect(refused).toMatch(/^Read .*: found \d+ problems?\.$/);
  });

  it('is said of a backup too, and the rest is copied', async () => {
    using folder = newFolder();
    const copy = join(folder.path, 'copy');
    await using server = await startTestServer({ databaseUrl: null });
    await upload(server, [attachment('first'), ...textFields()]);
    await upload(server, [attachment('second'), ...textFields()]);
    const [hash] = blobsIn(server.dataDir);
    rmSync(join(server.dataDir, 'blobs', hash!.slice(0, 2), hash!));
    const { code, stderr } = await command(server.dataDir, 'backup', copy);
    expect([code, stderr.includes(hash!)]).toEqual([1, true]);
    expect(existsSync(join(copy, 'assay.db'))).toBe(true);
    expect(blobsIn(copy)).toHaveLength(1);
    expect(await command(copy, 'verify')).toEqual({
      code: 1,
      stdout: `file ${hash}: is missing\n`,
      stderr: expect.stringMatching(/^assay-server: Read .*: found 1 problem\.\n$/) as string,
    });
  });
});
