import { MAX_RESULTS_PER_RUN } from '@assay/contract';
import { sql } from 'kysely';
import type { Dialect, Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';
import { KEPT, projectOfRun, triggersOf } from './0008-storage-figures.ts';
import { KEPT_OF_ATTACHMENTS } from './0017-attachments.ts';

interface Filled {
  readonly table: string;
  /** SQL of the project that a row belongs to. */
  project(row: string): string;
}

const byRun = (row: string): string => projectOfRun(`${row}.run_id`);

/** Tables without their project so far. */
const SMALL: readonly Filled[] = [
  { table: 'parts', project: byRun },
  { table: 'reports', project: byRun },
  { table: 'report_files', project: (row) => `(SELECT project_id FROM reports WHERE id = ${row}.report_id)` },
  { table: 'traces', project: byRun },
  { table: 'attachments', project: byRun },
  { table: 'jobs', project: byRun },
];
const WITH_BLOCKS: readonly Filled[] = [
  { table: 'segments', project: byRun },
  { table: 'details', project: (row) => projectOfRun(`${row}.id / ${MAX_RESULTS_PER_RUN}`) },
];

/**
 * Every row that belongs to a project names it, and in PostgreSQL its primary key begins with it: an engine that spreads
 * tables over machines by a column can do so by the project. SQLite has one machine, and keeps the smaller keys.
 */
export const projectKeys: Migration = {
  name: 'project-keys',
  async up(queries: Queries, dialect: Dialect) {
    for (const { table } of [...SMALL, ...WITH_BLOCKS]) {
      await queries.schema.alterTable(table).addColumn('project_id', 'bigint').execute();
    }
    if (dialect === 'sqlite') await fillSqlite(queries);
    else await rekeyPostgres(queries);
  },
};

/** To fill the column of blocks would be to write all of them anew. */
const fillSqlite = async (queries: Queries): Promise<void> => {
  for (const { table, project } of SMALL) {
    // The project of a row is not what its triggers count.
    const { rows: triggers } = await sql<{
      name: string;
      sql: string;
    }>`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name = ${`storage_update_${table}`}`.execute(
      queries,
    );
    for (const { name } of triggers) await sql`DROP TRIGGER ${sql.id(name)}`.execute(queries);
    await sql.raw(`UPDATE ${table} SET project_id = ${project(table)}`).execute(queries);
    for (const trigger of triggers) await sql.raw(trigger.sql).execute(queries);
  }
};

const rekeyPostgres = async (queries: Queries): Promise<void> => {
  const run = async (statement: string): Promise<void> => {
    await sql.raw(statement).execute(queries);
  };
  // Filling and indexing a large table may take longer than any statement of a request.
  await run('SET LOCAL statement_timeout = 0');
  for (const { table, project } of [...SMALL, ...WITH_BLOCKS]) {
    await run(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    // Blocks are stored apart: they stay where they are. Details of no run belong to no project.
    await run(`UPDATE ${table} SET project_id = coalesce(${project(table)}, 0)`);
    await run(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    await run(`ALTER TABLE ${table} ALTER COLUMN project_id SET NOT NULL`);
    await fillForEarlierVersion(run, table, project('new'));
  }
  // Rows of one project are kept together by the same type too.
  await run('ALTER TABLE storage_figures ALTER COLUMN project_id TYPE bigint');
  const references = await dropReferences(queries, run);
  for (const { table, key, lookUp } of KEYS) {
    await run(`ALTER TABLE ${table} DROP CONSTRAINT ${await primaryKeyOf(queries, table)}`);
    await run(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_by_project PRIMARY KEY (project_id, ${key})`);
    if (lookUp !== undefined) await run(`CREATE INDEX ${table}_by_${lookUp} ON ${table} (${lookUp})`);
  }
  for (const { table, column, target, deletes } of references) {
    await run(
      `ALTER TABLE ${table} ADD FOREIGN KEY (project_id, ${column}) REFERENCES ${target} (project_id, id) ${deletes === 'c' ? 'ON DELETE CASCADE' : ''}`,
    );
  }
  // Figures of storage need not look up the run of each row any more.
  const named = new Set([...SMALL, ...WITH_BLOCKS].map(({ table }) => table));
  for (const kept of [...KEPT, KEPT_OF_ATTACHMENTS].filter(({ table }) => named.has(table))) {
    for (const { name, body } of triggersOf({ ...kept, project: (row) => `${row}.project_id` })) {
      await run(
        `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`,
      );
    }
  }
};

interface Key {
  readonly table: string;
  /** What the key has behind the project. */
  readonly key: string;
  /** By what rows are looked up where their project is not known yet. */
  readonly lookUp?: string;
}

const KEYS: readonly Key[] = [
  { table: 'runs', key: 'id', lookUp: 'id' },
  { table: 'tests', key: 'id', lookUp: 'id' },
  { table: 'staged_tests', key: 'first_id' },
  { table: 'parts', key: 'id', lookUp: 'id' },
  { table: 'segments', key: 'run_id, first_index', lookUp: 'run_id' },
  { table: 'details', key: 'id', lookUp: 'id' },
  { table: 'reports', key: 'id', lookUp: 'id' },
  { table: 'report_files', key: 'report_id, path', lookUp: 'report_id' },
  { table: 'traces', key: 'id', lookUp: 'id' },
  { table: 'attachments', key: 'id', lookUp: 'id' },
  { table: 'jobs', key: 'id', lookUp: 'id' },
];

/** Replicas of the version before do not name it, and go on while others are updated. */
const fillForEarlierVersion = async (
  run: (statement: string) => Promise<void>,
  table: string,
  project: string,
): Promise<void> => {
  const name = `project_of_${table}`;
  await run(
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.project_id := ${project}; RETURN new; END $$`,
  );
  await run(
    `CREATE TRIGGER ${name} BEFORE INSERT ON ${table} FOR EACH ROW WHEN (new.project_id IS NULL) EXECUTE FUNCTION ${name}()`,
  );
};

interface Reference {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  readonly target: string;
  /** As pg_constraint has it: `c` cascades. */
  readonly deletes: string;
}

/** Those to rows whose keys change. */
const dropReferences = async (
  queries: Queries,
  run: (statement: string) => Promise<void>,
): Promise<readonly Reference[]> => {
  const { rows } = await sql<Reference>`
    SELECT constraints.conname::text AS name, constraints.conrelid::regclass::text AS table,
           columns.attname::text AS column, constraints.confrelid::regclass::text AS target,
           constraints.confdeltype::text AS deletes
    FROM pg_constraint AS constraints
    JOIN pg_attribute AS columns ON columns.attrelid = constraints.conrelid AND columns.attnum = constraints.conkey[1]
    WHERE constraints.contype = 'f' AND constraints.confrelid IN ('runs'::regclass, 'reports'::regclass)`.execute(
    queries,
  );
  for (const { table, name } of rows) await run(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows;
};

const primaryKeyOf = async (queries: Queries, table: string): Promise<string> => {
  const { rows } = await sql<{
    name: string;
  }>`SELECT conname::text AS name FROM pg_constraint WHERE contype = 'p' AND conrelid = ${table}::regclass`.execute(
    queries,
  );
  return rows[0]!.name;
};
