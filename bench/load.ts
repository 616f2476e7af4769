import { type Story, createStory } from '@assay/testkit';
import { type Connection, openConnection, submitRequest } from './http-client.ts';

const CASES_PER_RUN = 1_000;
const HOUR_MS = 3_600_000;

export const benchStory = (projectName: string, tests: number, details: 'none' | 'full' = 'none'): Story =>
  createStory({
    seed: projectName,
    projectName,
    tests,
    details,
    firstRunAt: Date.UTC(2026, 0, 1),
    intervalMs: HOUR_MS,
  });

/** Fills one project with at least so many results, in runs of 1,000; returns how many there are. */
export const fill = (url: string, results: number, report: (share: number) => void): Promise<number> =>
  fillAll([url], results, report);

/** Fills several services with the same. */
export const fillAll = async (
  urls: readonly string[],
  results: number,
  report: (share: number) => void,
): Promise<number> => {
  const story = benchStory('history', CASES_PER_RUN);
  let submitted = 0;
  let run = 0;
  const work = async (): Promise<void> => {
    const connections = await Promise.all(urls.map(openConnection));
    while (submitted < results) {
      const submission = story.run(run++);
      submitted += submission.testCases!.length;
      const request = submitRequest(Buffer.from(JSON.stringify(submission)));
      await Promise.all(connections.map((connection) => submit(connection, request)));
      report(Math.min(1, submitted / results));
    }
    for (const connection of connections) connection.close();
  };
  await Promise.all([work(), work(), work()]);
  return submitted;
};

export const submit = async (connection: Connection, request: Buffer): Promise<void> => {
  const { status, body } = await connection.send(request);
  if (status !== 200) throw new Error(`A submission was answered ${status}: ${body.toString()}`);
};
