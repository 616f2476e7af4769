import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Client, ProjectChange, Submission } from '@assay/contract';
import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../server.ts';
import { compareEverything, compareProject, compareService } from './compare.ts';
import {
  type Model,
  type ModelProject,
  createModel,
  recordChange,
  recordCleanup,
  recordDeletion,
  recordSubmission,
} from './model.ts';
import { CLEANUP_DAYS, submittedRun } from './submissions.ts';

type Command =
  | {
      readonly do: 'submit';
      readonly project: number;
      readonly padding: string;
      readonly run: Omit<Submission, 'projectName'>;
    }
  | { readonly do: 'delete'; readonly nth: number }
  | { readonly do: 'clean up'; readonly olderThanDays: number }
  | { readonly do: 'change'; readonly nth: number; readonly change: ProjectChange }
  | { readonly do: 'read'; readonly nth: number };

const padding = fc.constantFrom('', '', ' ');
const label = fc.constantFrom(undefined, null, 'Shop', 'מותג 🛒');

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      project: fc.constantFrom(0, 0, 0, 1),
      padding,
      run: submittedRun,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), nth: fc.nat(50) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('clean up' as const),
      olderThanDays: fc.constantFrom(...CLEANUP_DAYS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      nth: fc.nat(1),
      change: fc.record({ label, description: label }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), nth: fc.nat(1) }) },
);

/** A service with its model, and the names that the two projects of a sequence have in it. */
interface World {
  readonly client: Client;
  readonly model: Model;
  readonly names: readonly [string, string];
}

const projectsOf = ({ model, names }: World): ModelProject[] =>
  model.projects.filter(({ name }) => names.includes(name));

/** The list of projects goes by the time of the latest submission; two in one millisecond have no order. */
const nextMillisecond = async (): Promise<void> => {
  const startMs = Date.now();
  while (Date.now() === startMs) await setImmediate();
};

const perform = async (world: World, command: Command): Promise<void> => {
  const { client, model, names } = world;
  const projects = projectsOf(world);
  switch (command.do) {
    case 'submit': {
      const body = { projectName: command.padding + names[command.project]! + command.padding, ...command.run };
      await nextMillisecond();
      recordSubmission(model, body, await client.submitRun({ body }));
      break;
    }
    case 'delete': {
      const runs = model.runs.filter((run) => !run.deleted && projects.includes(run.project));
      const run = runs[command.nth % runs.length];
      if (run === undefined) break;
      await client.deleteRun({ params: { id: run.id } });
      recordDeletion(model, run);
      break;
    }
    case 'clean up': {
      const { olderThanDays } = command;
      const { deletedRuns } = await client.cleanUp({ body: { olderThanDays } });
      expect(deletedRuns, 'deletedRuns').toBe(recordCleanup(model, olderThanDays, Date.now()));
      break;
    }
    case 'change': {
      const project = projects[command.nth];
      if (project === undefined) break;
      await client.updateProject({ params: { id: project.id }, body: command.change });
      recordChange(project, command.change);
      break;
    }
    case 'read': {
      const project = projects[command.nth];
      if (project !== undefined) await compareProject(client, model, project);
    }
  }
};

/** Ends a long search for a smaller counterexample in time to report what it has. */
const TIME_LIMIT = { interruptAfterTimeLimit: 90_000, markInterruptAsFailure: false };

describe('every read equals a naive computation over the submitted JSON', () => {
  it('of its project, its runs and its cases', async () => {
    await using server = await startTestServer();
    const model = createModel();
    let sequences = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 25, size: 'max' }), async (commands) => {
        const nth = sequences++;
        const world: World = { client: server.client, model, names: [`shop ${nth}`, `büro ${nth}`] };
        for (const command of commands) await perform(world, command);
        await compareEverything(server.client, model, projectsOf(world));
      }),
      { numRuns: draws(3, 48), ...TIME_LIMIT },
    );
  });

  it('of the whole service, also with the smallest caches and after a restart', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 20, size: 'max' }), fc.boolean(), async (commands, cached) => {
        const dataDir = mkdtempSync(join(tmpdir(), 'assay-model-'));
        const config = cached ? { dataDir } : { dataDir, segmentCacheBytes: 0, answerCacheBytes: 0 };
        try {
          const model = createModel();
          const compareAll = async (client: Client): Promise<void> => {
            await compareService(client, model);
            await compareEverything(client, model, model.projects);
          };
          {
            await using server = await startTestServer(config);
            const world: World = { client: server.client, model, names: ['one', 'two'] };
            for (const command of commands) await perform(world, command);
            await compareAll(server.client);
          }
          await using server = await startTestServer(config);
          await compareAll(server.client);
        } finally {
          rmSync(dataDir, { recursive: true, force: true });
        }
      }),
      { numRuns: draws(2, 24), ...TIME_LIMIT },
    );
  });
});
