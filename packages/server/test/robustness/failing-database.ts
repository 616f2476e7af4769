import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { type SteppedWork, type SubmittedBody, type WriterMeans, finishParsing } from '../../src/writer/command.ts';
import type { AnyCommand } from '../../src/writer/run-thread.ts';

export class PlantedFailure extends Error {
  override name = 'PlantedFailure';
}

export interface FailingDatabase extends Database {
  /** From now on the nth statement fails; the beginning and the end of a transaction count as statements. */
  failAt(nth: number | 'commit'): void;
}

/** A database whose statements fail when they are told to; says when a transaction has been committed. */
export const createFailingDatabase = (database: Database, onCommit: () => void = () => undefined): FailingDatabase => {
  let left = Infinity;
  let commits = true;
  const strike = (): void => {
    if (--left === 0) throw new PlantedFailure('This statement was made to fail');
  };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      strike();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const queries = database.queries.withPlugin(plugin);
  return {
    ...database,
    queries,
    async transaction(work) {
      const value = await database.transaction(async () => {
        strike();
        const worked = await work(queries);
        if (!commits) left = 1;
        strike();
        return worked;
      });
      onCommit();
      return value;
    },
    failAt(nth) {
      commits = nth !== 'commit';
      left = nth === 'commit' ? Infinity : nth;
    },
  };
};

export interface ContentReader extends Disposable {
  /** Everything that a database holds, a text for each row. */
  read(): string[];
}

/** Reads by one connection, since to open one takes longer than to read. */
export const openReader = (file: string): ContentReader => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  const statements = tables.map(({ name }) => {
    const table = String(name);
    return { table, rows: database.prepare(`SELECT * FROM "${table}"`) };
  });
  const textOf = (row: object): string => JSON.stringify(row, (_, value: unknown) => presentValue(value));
  return {
    read: () =>
      statements.flatMap(({ table, rows }) =>
        rows
          .all()
          .map((row) => `${table} ${textOf(row)}`)
          .sort(),
      ),
    [Symbol.dispose]: () => database.close(),
  };
};

const presentValue = (value: unknown): unknown =>
  value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : value;

/** Executes a command as the writing thread does. */
export const executeCommand = async (means: WriterMeans, command: AnyCommand, input: unknown): Promise<unknown> => {
  if ('store' in command) {
    const take = (body: SubmittedBody): Uint8Array => ('bytes' in body ? body.bytes : readFileSync(body.file));
    const parsed: unknown = finishParsing(command.parse(input, take));
    return means.database.transaction((transaction) =>
      command.store(transaction, parsed, input, { ...means, now: Date.now() }),
    );
  }
  const work: SteppedWork<unknown> = command.execute(means, input);
  for (;;) {
    const step = await work.next();
    if (step.done) return step.value;
  }
};
