import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Row, milliseconds, percentile, thousands, times } from './figures.ts';
import { openConnection, submitRequest } from './http-client.ts';
import { CASES_PER_RUN, benchStory, bodiesOf, submit } from './load.ts';
import type { BenchService } from './service.ts';

const BODIES = 50;
/** Until the engine has compiled all of it: before that a submission takes a fifth longer. */
const WARM_UP = 800;
const ROUNDS = 9;

export interface SubmissionFigures {
  readonly floorMs: number;
  readonly oneClientMs: number;
  readonly fourClientsMs: number;
}

/** Submissions of 1,000 cases, measured in turns with the least that any service must do for one. */
export const measureSubmissions = async (service: BenchService): Promise<SubmissionFigures> => {
  const bodies = bodiesOf(benchStory('submissions'), BODIES);
  const requests = bodies.map(submitRequest);
  const connections = await Promise.all([0, 1, 2, 3].map(() => openConnection(service.url)));
  for (let n = 0; n < WARM_UP; n++) await submit(connections[0]!, requests[n % BODIES]!);
  const segmentBytes = segmentSize(service.dataDir);

  const floor: number[] = [];
  const one: number[] = [];
  const four: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    floor.push(await timeEach(BODIES, floorOf(bodies, segmentBytes, service.dataDir)));
    one.push(await timeEach(BODIES, (n) => submit(connections[0]!, requests[n]!)));
    const start = performance.now();
    await Promise.all(
      connections.map(async (connection, client) => {
        for (let n = client; n < BODIES * 2; n += connections.length) await submit(connection, requests[n % BODIES]!);
      }),
    );
    four.push((performance.now() - start) / (BODIES * 2));
  }
  for (const connection of connections) connection.close();
  return { floorMs: percentile(floor, 50), oneClientMs: percentile(one, 50), fourClientsMs: percentile(four, 50) };
};

const segmentSize = (dataDir: string): number => {
  const database = new DatabaseSync(join(dataDir, 'assay.db'), { readOnly: true });
  const row = database.prepare('SELECT avg(length(results)) AS bytes FROM segments').get();
  database.close();
  return Math.round(Number(row?.['bytes']));
};

const floorOf = (bodies: readonly Buffer[], segmentBytes: number, dataDir: string) => {
  const file = openSync(join(dataDir, 'floor'), 'a');
  const segment = Buffer.alloc(segmentBytes, 7);
  return async (n: number): Promise<void> => {
    JSON.parse(bodies[n]!.toString());
    writeSync(file, segment);
    fsyncSync(file);
    if (n === bodies.length - 1) closeSync(file);
  };
};

const timeEach = async (count: number, work: (n: number) => Promise<void>): Promise<number> => {
  const start = performance.now();
  for (let n = 0; n < count; n++) await work(n);
  return (performance.now() - start) / count;
};

export const submissionRows = ({ floorMs, oneClientMs, fourClientsMs }: SubmissionFigures): Row[] => [
  { what: 'Floor: JSON.parse of the body and a durable write of its segment', measured: milliseconds(floorMs) },
  {
    what: 'A submission of 1,000 cases over HTTP, one client',
    measured: `${milliseconds(oneClientMs)} = ${times(oneClientMs / floorMs)} the floor`,
    limit: '2.0 ×',
    ok: oneClientMs / floorMs <= 2,
  },
  {
    what: 'The same with four clients',
    measured: `${milliseconds(fourClientsMs)} = ${times(fourClientsMs / floorMs)} the floor`,
  },
  {
    what: 'Results per second with one and with four clients',
    measured: `${thousands(CASES_PER_RUN / (oneClientMs / 1000))} and ${thousands(CASES_PER_RUN / (fourClientsMs / 1000))}`,
  },
];
