import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { minute, newName, richCase, submission, testCase } from '../conformance/build.ts';
import { newFolder } from '../robustness/service-process.ts';
import { ON_POSTGRES, startTestServer } from '../server.ts';

/** Makes of a database what the version before parts would have left. */
const goBack = (file: string): void => {
  const database = new DatabaseSync(file);
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
  database.exec(`
    BEGIN;
    DROP TABLE storage_figures;
    DROP TABLE storage_days;
    DROP TABLE attachments;
    DROP TABLE commits;
    DROP TABLE codeowners;
    DROP TABLE spelled_files;
    DROP TABLE branch_summaries;
    DROP TABLE clusters;
    DROP TABLE cluster_runs;
    DROP INDEX runs_unread;
    ALTER TABLE runs DROP COLUMN clustered_version;
    DROP TABLE run_outlines;
    DROP TABLE saved_views;
    DROP TABLE moved_runs;
    DROP INDEX runs_unmoved;
    ALTER TABLE runs DROP COLUMN moved_version;
    DROP TABLE chores;
    CREATE TABLE before (run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE, results BLOB NOT NULL, requests BLOB);
    INSERT INTO before SELECT run_id, results, requests FROM segments;
    DROP TABLE segments;
    ALTER TABLE before RENAME TO segments;
    DROP TABLE staged_tests;
    ALTER TABLE details DROP COLUMN project_id;
    ALTER TABLE reports DROP COLUMN project_id;
    ALTER TABLE report_files DROP COLUMN project_id;
    ALTER TABLE traces DROP COLUMN project_id;
    ALTER TABLE jobs DROP COLUMN project_id;
    DROP TABLE parts;
    DROP INDEX runs_damaged;
    ALTER TABLE runs DROP COLUMN damage;
    ALTER TABLE runs DROP COLUMN version;
    ALTER TABLE runs DROP COLUMN next_index;
    ALTER TABLE runs DROP COLUMN shard_total;
    ALTER TABLE runs DROP COLUMN expected_tests;
    ALTER TABLE run_keys DROP COLUMN part_id;
    ALTER TABLE reports DROP COLUMN part_id;
    ALTER TABLE traces DROP COLUMN part_id;
    ALTER TABLE details DROP COLUMN block_index;
    ALTER TABLE runs DROP COLUMN author;
    ALTER TABLE runs DROP COLUMN commit_message;
    DROP INDEX runs_by_environment;
    ALTER TABLE runs DROP COLUMN environment;
    ALTER TABLE runs DROP COLUMN pull_request;
    ALTER TABLE runs DROP COLUMN base_commit;
    ALTER TABLE runs DROP COLUMN filtered;
    DROP INDEX runs_by_branch;
    ALTER TABLE projects DROP COLUMN default_branch;
    ALTER TABLE projects DROP COLUMN told_default_branch;
    ALTER TABLE projects DROP COLUMN repository_url;
    ALTER TABLE projects DROP COLUMN tags;
    ALTER TABLE projects DROP COLUMN archived_at;
    ALTER TABLE installation DROP COLUMN cause_version;
    ALTER TABLE installation DROP COLUMN cause_run_id;
    ALTER TABLE jobs DROP COLUMN claimed_until;
    ALTER TABLE installation DROP COLUMN copying;
    ALTER TABLE runs DROP COLUMN pinned_at;
    ALTER TABLE runs DROP COLUMN files_removed_at;
    ALTER TABLE projects DROP COLUMN retention;
    ALTER TABLE installation DROP COLUMN retention;
    ALTER TABLE installation DROP COLUMN retention_at;
    DELETE FROM migrations WHERE number >= 4;
    COMMIT;`);
  database.close();
};

it.skipIf(ON_POSTGRES)('a database of the version before is read as it was, and its runs can be joined', async () => {
  using folder = newFolder();
  const config = { dataDir: folder.path };
  const shop = { projectName: newName(), runKey: newName('key') };
  const testCases = [richCase(), testCase({ title: 'plain' })];
  const read = async (server: Awaited<ReturnType<typeof startTestServer>>, runId: number, projectId: number) => ({
    run: await server.client.getRun({ params: { id: runId } }),
    requests: await server.client.listRunRequests({ params: { id: runId } }),
    tests: await server.client.listTests({ params: { id: projectId }, query: { history: 20 } }),
    project: await server.client.getProject({ params: { id: projectId } }),
  });
  let before;
  let ids;
  {
    await using server = await startTestServer(config);
    ids = await server.client.submitRun({ body: submission({ ...shop, testCases }) });
    for (let nth = 1; nth < 20; nth++) {
      const { projectName } = shop;
      await server.client.submitRun({ body: submission({ projectName, startTime: minute(nth), testCases }) });
    }
    before = await read(server, ids.testRunId, ids.projectId);
  }
  goBack(join(folder.path, 'assay.db'));
  await using server = await startTestServer(config);
  expect(await read(server, ids.testRunId, ids.projectId)).toEqual(before);

  const shard = { index: 1, total: 1 };
  const joined = submission({ ...shop, shard, testCases: [testCase({ title: 'joined' })] });
  expect((await server.client.submitRun({ body: joined })).testRunId).toBe(ids.testRunId);
  const run = await server.client.getRun({ params: { id: ids.testRunId } });
  expect(run.testCases.map(({ id, title }) => [id, title])).toEqual([
    ...before.run.testCases.map(({ id, title }) => [id, title]),
    [before.run.testCases[1]!.id + 1, 'joined'],
  ]);
});
