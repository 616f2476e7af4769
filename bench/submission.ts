import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, milliseconds, percentile, thousands, times } from './figures.ts';
import { openConnection, submitRequest } from './http-client.ts';
import { bodyOf, createLife } from './life.ts';
import { submit } from './load.ts';
import { withClients } from './measuring.ts';
import type { BenchService } from './service.ts';

/** Bodies of fifty projects, each sent once; about as many results as bodies × 1,000. */
const WARM_UP = 200;
const BODIES = 50;
const ROUNDS = 7;
/** What the service keeps of a result on disk. */
const BYTES_PER_RESULT = 16;
const LIMIT = 2;

/** All times are for 1,000 results. */
export interface SubmissionFigures {
  readonly floorMs: number;
  readonly oneClientMs: number;
  readonly fourClientsMs: number;
}

interface Body {
  readonly bytes: Buffer;
  readonly results: number;
}

/** Submissions that never repeat, measured in turns with the least that any service must do for them. */
export const measureSubmissions = async (service: BenchService): Promise<SubmissionFigures> => {
  const life = createLife('submissions');
  const nextBodies = (count: number): Body[] =>
    Array.from({ length: count }, () => {
      const run = life.next();
      return { bytes: bodyOf(run), results: run.results };
    });
  const connection = await openConnection(service.url);
  for (const { bytes } of nextBodies(WARM_UP)) await submit(connection, submitRequest(bytes));

  const floor: number[] = [];
  const one: number[] = [];
  const four: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bodies = nextBodies(BODIES);
    floor.push(await perThousand(bodies, async () => storeAtLeast(bodies, service.dataDir)));
    one.push(
      await perThousand(bodies, async () => {
        for (const { bytes } of bodies) await submit(connection, submitRequest(bytes));
      }),
    );
    const ofFour = nextBodies(BODIES);
    four.push(
      await perThousand(ofFour, () =>
        withClients(service.url, 4, ofFour, (client, { bytes }) => submit(client, submitRequest(bytes))),
      ),
    );
  }
  connection.close();
  return { floorMs: percentile(floor, 50), oneClientMs: percentile(one, 50), fourClientsMs: percentile(four, 50) };
};

const storeAtLeast = (bodies: readonly Body[], dataDir: string): void => {
  const file = openSync(join(dataDir, 'floor'), 'a');
  for (const { bytes, results } of bodies) {
    JSON.parse(bytes.toString());
    writeSync(file, Buffer.alloc(results * BYTES_PER_RESULT, 7));
    fsyncSync(file);
  }
  closeSync(file);
};

const perThousand = async (bodies: readonly Body[], work: () => Promise<void>): Promise<number> => {
  const results = bodies.reduce((sum, body) => sum + body.results, 0);
  const start = performance.now();
  await work();
  return (performance.now() - start) / (results / 1000);
};

export const submissionRows = ({ floorMs, oneClientMs, fourClientsMs }: SubmissionFigures): Row[] => [
  { what: 'Floor: JSON.parse of the bodies and a durable write of each', measured: milliseconds(floorMs) },
  {
    what: 'Submissions over HTTP, one client',
    measured: `${milliseconds(oneClientMs)} = ${times(oneClientMs / floorMs)} the floor`,
    limit: `${LIMIT.toFixed(1)} ×`,
    ok: oneClientMs / floorMs <= LIMIT,
  },
  {
    what: 'The same with four clients',
    measured: `${milliseconds(fourClientsMs)} = ${times(fourClientsMs / floorMs)} the floor`,
  },
  {
    what: 'Results per second with one and with four clients',
    measured: `${thousands(1_000_000 / oneClientMs)} and ${thousands(1_000_000 / fourClientsMs)}`,
  },
];
