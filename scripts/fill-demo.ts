import type { Client } from '@assay/contract';
import { type World, createWorld } from '@assay/testkit';
import { createDemoCommits } from './demo-commits.ts';

const SEED = 7;

interface Filling {
  /** When the last run is over. */
  readonly until: number;
  /** With one sender the same runs get the same numbers every time; several are faster. */
  readonly senders: number;
  readonly days?: number;
  readonly onSent?: (sent: number) => void;
}

/** Sends made-up runs; the same ones for the same end. */
export const fillDemo = async (client: Client, { until, senders, days = 60, onSent }: Filling): Promise<World> => {
  const world = createWorld({ seed: SEED, until, days });
  const submissions = world.submissions();
  const commits = createDemoCommits();
  let sent = 0;
  const sendAll = async (): Promise<void> => {
    for (const body of submissions) {
      commits.add(body);
      await client.submitRun({ body });
      onSent?.(++sent);
    }
  };
  await Promise.all(Array.from({ length: senders }, sendAll));
  await commits.send(client);
  return world;
};
