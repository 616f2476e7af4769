import { type Story, createStory } from '@assay/testkit';
import { type Connection, openConnection, submitRequest } from './http-client.ts';

export const CASES_PER_RUN = 1_000;
const HOUR_MS = 3_600_000;

export const benchStory = (projectName: string, tests = CASES_PER_RUN, details: 'none' | 'full' = 'none'): Story =>
  createStory({
    seed: projectName,
    projectName,
    tests,
    details,
    firstRunAt: Date.UTC(2026, 0, 1),
    intervalMs: HOUR_MS,
  });

export const bodiesOf = (story: Story, count: number): Buffer[] =>
  Array.from({ length: count }, (_, n) => Buffer.from(JSON.stringify(story.run(n))));

/** Fills a service with at least so many results in some projects; returns how many there are. */
export const fill = async (
  url: string,
  results: number,
  projects: number,
  report: (share: number) => void,
): Promise<number> => {
  const stories = Array.from({ length: projects }, (_, index) => benchStory(`project-${index}`));
  const connections = await Promise.all([0, 1, 2].map(() => openConnection(url)));
  let submitted = 0;
  let run = 0;
  const work = async (connection: Connection): Promise<void> => {
    while (submitted < results) {
      const submission = stories[run % projects]!.run(Math.floor(run / projects));
      run++;
      submitted += submission.testCases!.length;
      await submit(connection, submitRequest(Buffer.from(JSON.stringify(submission))));
      if (run % 100 === 0) report(Math.min(1, submitted / results));
    }
  };
  await Promise.all(connections.map(work));
  for (const connection of connections) connection.close();
  return submitted;
};

export const submit = async (connection: Connection, request: Buffer): Promise<void> => {
  const { status, body } = await connection.send(request);
  if (status !== 200) throw new Error(`A submission was answered ${status}: ${body.toString()}`);
};
