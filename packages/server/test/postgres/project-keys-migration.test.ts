import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Database, Queries } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { minute, newName, richCase, runStart, submission, testCase } from '../conformance/build.ts';
import { readAnswers } from '../copy/answers.ts';
import { textFields, upload } from '../files/form.ts';
import { createMigrated } from '../migrated-database.ts';
import { newFolder } from '../robustness/service-process.ts';
import { type TestServer, startTestServer } from '../server.ts';

/** The tables that had no project, with their keys of then. */
const WITHOUT_PROJECT = {
  parts: 'id',
  reports: 'id',
  report_files: 'report_id, path',
  traces: 'id',
  attachments: 'id',
  jobs: 'id',
  segments: 'run_id, first_index',
  details: 'id',
};

/** Makes of a database what the version before the project was in all keys would have left. */
const goBack = async (queries: Queries): Promise<void> => {
  const run = (statement: string) => sql.raw(statement).execute(queries);
  // What later versions added.
  await run('DROP TABLE clusters, cluster_runs, run_outlines, saved_views, moved_runs, chores');
  for (const event of ['insert', 'delete', 'update']) {
    await run(`DROP FUNCTION storage_${event}_run_outlines, storage_${event}_moved_runs`);
  }
  await run('DROP INDEX runs_damaged');
  await run('ALTER TABLE runs DROP COLUMN clustered_version, DROP COLUMN moved_version');
  await run('ALTER TABLE staged_tests DROP COLUMN staged_by, DROP COLUMN staged_at');
  for (const [table, key] of Object.entries(WITHOUT_PROJECT)) {
    await run(`DROP FUNCTION project_of_${table} CASCADE`);
    await run(`ALTER TABLE ${table} DROP COLUMN project_id CASCADE`);
    await run(`ALTER TABLE ${table} ADD PRIMARY KEY (${key})`);
  }
  await run('ALTER TABLE run_keys DROP CONSTRAINT run_keys_project_id_run_id_fkey');
  for (const [table, key] of [
    ['runs', 'id'],
    ['tests', 'id'],
    ['staged_tests', 'first_id'],
  ]) {
    await run(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_by_project, ADD PRIMARY KEY (${key})`);
  }
  for (const table of ['run_keys', 'segments', 'parts']) {
    await run(`ALTER TABLE ${table} ADD FOREIGN KEY (run_id) REFERENCES runs (id) ON DELETE CASCADE`);
  }
  for (const table of ['reports', 'traces', 'attachments', 'jobs']) {
    await run(`ALTER TABLE ${table} ADD FOREIGN KEY (run_id) REFERENCES runs (id)`);
  }
  await run('ALTER TABLE report_files ADD FOREIGN KEY (report_id) REFERENCES reports (id)');
  for (const table of ['runs', 'tests', 'parts', 'details', 'reports', 'traces', 'attachments', 'jobs']) {
    await run(`DROP INDEX ${table}_by_id`);
  }
  await run('DROP INDEX segments_by_run_id, report_files_by_report_id');
  await run('DELETE FROM migrations WHERE number >= 26');
};

/** Two projects with runs, parts and files. */
const fill = async (server: TestServer): Promise<number[]> => {
  const ids: number[] = [];
  for (const projectName of [newName(), newName()]) {
    for (let nth = 0; nth < 3; nth++) {
      const testCases = [richCase(), testCase({ title: `${nth}` })];
      const sent = submission({ projectName, startTime: minute(nth), testCases });
      ids.push((await server.client.submitRun({ body: sent })).testRunId);
    }
    const attachment = { name: 'attachment_0', content: 'seen', filename: 'notes.txt', type: 'text/plain' };
    const page = { name: 'report', content: '<!doctype html>', filename: 'index.html', type: 'text/html' };
    await upload(server, [attachment, page, ...textFields(projectName)]);
    const { testRunId: id, part } = await server.client.startRun({ body: runStart({ projectName }) });
    await server.client.addResults({ params: { id }, body: { part, batch: 0, testCases: [richCase()] } });
  }
  return ids;
};

/** Clusters of failures are numbered anew where there were none. */
const withoutClusters = (answers: ReadonlyMap<string, string>): Map<string, string> =>
  new Map(
    [...answers]
      .filter(([path]) => !path.endsWith('/clusters'))
      .map(([path, answer]) => [path, answer.replace(/"errors":\[\{"clusterId":.*?\}\}\],/, '')]),
  );

const open = async (url: string): Promise<Database> => {
  const database = await openDatabase({ url }, { access: 'write' });
  onTestFinished(() => database.close());
  return database;
};

it('a PostgreSQL database of the version before answers the same, and takes what that version still writes', async () => {
  using folder = newFolder();
  await using own = await createMigrated();
  const config = { dataDir: folder.path, databaseUrl: own.url };
  let before;
  let ids;
  {
    await using server = await startTestServer(config);
    ids = await fill(server);
    before = await readAnswers(server);
  }
  const { queries } = await open(own.url);
  const readFigures = async () => {
    // They are made some time after runs have come.
    await queries.deleteFrom('run_outlines').execute();
    return queries.selectFrom('storage_figures').selectAll().orderBy('project_id').execute();
  };
  const figures = await readFigures();
  await goBack(queries);
  await using server = await startTestServer(config);
  expect(withoutClusters(await readAnswers(server))).toEqual(withoutClusters(before));
  expect(await readFigures()).toEqual(figures);
  for (const table of Object.keys(WITHOUT_PROJECT)) {
    const { rows } = await sql<{ rows: number; projects: number }>`
      SELECT count(*) AS rows, count(DISTINCT project_id) AS projects FROM ${sql.table(table)}`.execute(queries);
    if (rows[0]!.rows > 0) expect(rows[0], table).toMatchObject({ projects: 2 });
  }

  // As a replica of that version does.
  const block = { run: ids[4]!, first: 500 };
  await sql`INSERT INTO segments (run_id, first_index, results) VALUES (${block.run}, ${block.first}, 'bytes')`.execute(
    queries,
  );
  const { rows } = await sql<{ isSame: number }>`
    SELECT segments.project_id = runs.project_id AS "isSame" FROM segments JOIN runs ON runs.id = segments.run_id
    WHERE run_id = ${block.run} AND first_index = ${block.first}`.execute(queries);
  expect(rows).toEqual([{ isSame: 1 }]);
  const figured = await readFigures();
  await sql`DELETE FROM segments WHERE run_id = ${block.run} AND first_index = ${block.first}`.execute(queries);
  expect(figured).not.toEqual(figures);
  expect(await readFigures()).toEqual(figures);

  for (const { id } of await server.client.listProjects({})) await server.client.deleteProject({ params: { id } });
  for (const table of [...Object.keys(WITHOUT_PROJECT), 'runs', 'tests', 'run_keys']) {
    const left = await sql<{ rows: number }>`SELECT count(*) AS rows FROM ${sql.table(table)}`.execute(queries);
    expect(left.rows, table).toEqual([{ rows: 0 }]);
  }
});
