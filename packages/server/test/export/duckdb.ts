import { DuckDBInstance } from '@duckdb/node-api';

let opened: Promise<DuckDBInstance> | null = null;

/** The rows of a query, with times as milliseconds and integers as numbers. */
export const queryDuckDb = async <Row = Record<string, unknown>>(query: string): Promise<Row[]> => {
  const instance = await (opened ??= DuckDBInstance.create(':memory:'));
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const found = await connection.runAndReadAll(`SELECT to_json(found) AS row FROM (${query}) AS found`);
    return found.getRows().map(([row]) => JSON.parse(String(row), timesAsMs) as Row);
  } finally {
    connection.closeSync();
  }
};

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/;

const timesAsMs = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && TIME.test(value) ? Date.parse(value.replace(' ', 'T').replace('+00', 'Z')) : value;
