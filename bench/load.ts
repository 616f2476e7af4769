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
export const fill = async (url: string, results: number, report: (share: number) => void): Promise<number> => {
  const story = benchStory('history', CASES_PER_RUN);
  let submitted = 0;
  let run = 0;
  const work = async (): Promise<void> => {
    const connection = await openConnection(url);
    while (submitted < results) {
      const submission = story.run(run++);
      submitted += submission.testCases!.length;
      await submit(connection, submitRequest(Buffer.from(JSON.stringify(submission))));
      report(Math.min(1, submitted / results));
    }
    connection.close();
  };
  await Promise.all([work(), work(), work()]);
  return submitted;
};

export const submit = async (connection: Connection, request: Buffer): Promise<void> => {
  const { status, body } = await connection.send(request);
  if (status !== 200) throw new Error(`A submission was answered ${status}: ${body.toString()}`);
};
