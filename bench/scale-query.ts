import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { type Row, milliseconds, percentile, thousands } from './figures.ts';
import { type Connection, getRequest, openConnection, submitRequest } from './http-client.ts';
import { sendPatiently, waitRow, whileProbing, withClients } from './measuring.ts';
import { plainRunBody } from './plain-runs.ts';
import type { BenchService } from './service.ts';

const CLIENTS = 3;
const CASES = 1_000;
const RARE_RUNS = 3;
const TIMES = 20;

const QUERIES: readonly { readonly what: string; readonly path: string; readonly limitMs?: number }[] = [
  {
    what: 'Newest 50 of status:failed error:"ECONNREFUSED", in every run',
    path: 'filter=status:failed error:"ECONNREFUSED"&limit=50',
    limitMs: 20,
  },
  {
    what: `The same of an error in ${RARE_RUNS} runs`,
    path: 'filter=status:failed error:"ENOSPC"&limit=50',
    limitMs: 150,
  },
  { what: 'Count by day over all', path: 'by=day', limitMs: 100 },
  { what: 'Count by day of status:failed', path: 'by=day&filter=status:failed' },
  { what: 'Count by cause of status:failed', path: 'by=cause&filter=status:failed' },
  { what: 'Count by status with quantiles', path: 'by=status&figures=count,quantiles' },
];

/** Queries over all results of a project, with the answer cache off. */
export const queryRows = async (
  service: BenchService,
  runs: number,
  progress: (text: string) => void,
): Promise<Row[]> => {
  await fillRuns(service.url, runs, progress);
  const connection = await openConnection(service.url);
  const [project] = JSON.parse((await connection.send(getRequest('/api/projects'))).body.toString()) as {
    id: number;
  }[];
  const outlined = await waitForOutlines(service, connection, project!.id, runs, progress);
  const rows: Row[] = outlined;
  for (const { what, path, limitMs } of QUERIES) {
    const url = encodeURI(`/api/query?over=results&project=${project!.id}&${path}`);
    const { value: times, ...waits } = await whileProbing(service, '/api/projects/1?limit=1', () =>
      timeQuery(connection, url),
    );
    const p50 = percentile(times, 50);
    rows.push({
      what: `${what}, p50`,
      measured: `${milliseconds(p50)} (first ${milliseconds(times[0]!)})`,
      ...(limitMs === undefined ? {} : { limit: `${limitMs} ms`, ok: p50 <= limitMs }),
    });
    rows.push(waitRow('Longest turn meanwhile', { value: times, ...waits }));
  }
  connection.close();
  return [{ what: 'Results', measured: thousands(runs * CASES) }, ...rows];
};

/** Most bytes of what runs are skipped by. */
const MOST_OUTLINE_BYTES = 3;

/** What queries skip runs by is made in the background. */
const waitForOutlines = async (
  service: BenchService,
  connection: Connection,
  project: number,
  runs: number,
  progress: (text: string) => void,
): Promise<Row[]> => {
  const start = performance.now();
  const path = encodeURI(`/api/query?over=results&project=${project}&filter=error:"nobody has this error"&explain=1`);
  for (let skipped = 0; skipped < runs;) {
    await delay(500);
    const { body } = await connection.send(getRequest(`${path}&n=${performance.now()}`));
    skipped = (JSON.parse(body.toString()) as { explain: { skippedRuns: number } }).explain.skippedRuns;
    progress(`outlines of ${skipped} of ${runs} runs`);
  }
  const seconds = (performance.now() - start) / 1_000;
  using database = new DatabaseSync(join(service.dataDir, 'assay.db'), { readOnly: true });
  const { bytes } = database.prepare('SELECT sum(length(data)) AS bytes FROM run_outlines').get() as { bytes: number };
  const each = bytes / (runs * CASES);
  return [
    { what: 'Outlines of all runs after the last was stored', measured: `${seconds.toFixed(1)} s` },
    {
      what: 'Bytes of outlines per result',
      measured: each.toFixed(2),
      limit: String(MOST_OUTLINE_BYTES),
      ok: each <= MOST_OUTLINE_BYTES,
    },
  ];
};

const timeQuery = async (connection: Connection, path: string): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const start = performance.now();
    // Each is another address, so that none is answered from memory.
    const { status, body } = await connection.send(getRequest(`${path}&n=${n}`));
    times.push(performance.now() - start);
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${body.toString()}`);
  }
  return times;
};

const fillRuns = async (url: string, runs: number, progress: (text: string) => void): Promise<void> => {
  const atOnce = 120;
  const every = Math.max(1, Math.floor(runs / RARE_RUNS));
  for (let first = 0; first < runs; first += atOnce) {
    const bodies = Array.from({ length: Math.min(atOnce, runs - first) }, (_, at) => {
      const run = first + at;
      const error = run % every === 7 ? 'ENOSPC: no space' : 'connect ECONNREFUSED';
      const body = plainRunBody({ projectName: 'query', run, cases: CASES, newTests: 1 });
      return Buffer.from(body.toString().replaceAll('Error: expected', `Error: ${error}, expected`));
    });
    await withClients(url, CLIENTS, bodies, async (connection, body) => {
      const { status, body: answer } = await sendPatiently(connection, submitRequest(body));
      if (status !== 200) throw new Error(`A submission was answered ${status}: ${answer.toString()}`);
    });
    progress(`filling: ${first + bodies.length} of ${runs} runs`);
  }
};
