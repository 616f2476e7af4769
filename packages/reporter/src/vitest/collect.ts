import type { SubmittedCase } from '@assay/contract';
import { type AttachmentRules, type Chosen, attachmentsIn, createAttachmentChooser } from '@assay/import/attachments';
import type { TestCase, TestModule } from 'vitest/node';
import type { Collected } from '../delivery/collected.ts';
import { unreadableCase } from '../delivery/unreadable-case.ts';
import { artifactsOf, attachmentsOf } from './attachments.ts';
import { type Tellable, annotationsOf, buildCaseOf, logsOf, tellablesOf, tracesOf } from './build-cases.ts';

export interface Collector {
  testEnded(test: TestCase, nowMs: number): void;
  /** The cases of tests that ended a while ago: what such a test wrote has come by then. */
  settled(nowMs: number): SubmittedCase[];
  moduleEnded(module: TestModule): SubmittedCase[];
  /** All cases: those told first, in their order, then those that were held back or never ran; and which those are. */
  finish(modules: readonly TestModule[]): Collected & { readonly unsent: readonly SubmittedCase[] };
}

const SETTLED_AFTER_MS = 1_000;

export const createCollector = (root: string, rules: AttachmentRules): Collector => {
  const told: Tellable[] = [];
  const testCases: SubmittedCase[] = [];
  const chosen: Chosen[] = [];
  const extents = new Map<string, number>();
  const chooser = createAttachmentChooser(rules);
  let waiting: { readonly test: TestCase; readonly endedAtMs: number }[] = [];

  const put = (at: number, tellable: Tellable): void => {
    const built = buildCaseOrLess(tellable, root);
    const before = chosen[at];
    if (before !== undefined) chooser.takeBack(before);
    chosen[at] = chooser.choose(built, chooser.wants(built) ? attachmentsOf(tellable) : []);
    testCases[at] = chosen[at].testCase;
  };

  const tell = (tellable: Tellable): SubmittedCase[] => {
    if (extents.has(tellable.id)) return [];
    const at = told.push(tellable) - 1;
    put(at, tellable);
    extents.set(tellable.id, extentOf(tellable));
    return [testCases[at]!];
  };

  return {
    testEnded(test, endedAtMs) {
      if (isOver(test)) waiting.push({ test, endedAtMs });
    },
    settled(nowMs) {
      const isConcluded = ({ endedAtMs }: (typeof waiting)[number]): boolean => endedAtMs + SETTLED_AFTER_MS <= nowMs;
      const settled = waiting.filter(isConcluded);
      if (settled.length > 0) waiting = waiting.filter((one) => !isConcluded(one));
      return settled.flatMap(({ test }) => tell(test));
    },
    moduleEnded(module) {
      waiting = waiting.filter(({ test }) => test.module !== module);
      return tellablesOf(module).filter(isOver).flatMap(tell);
    },
    finish(modules) {
      const changed = [...told.entries()].filter(([, tellable]) => extents.get(tellable.id) !== extentOf(tellable));
      for (const [at, tellable] of changed) put(at, tellable);
      const unsent = modules.flatMap(tellablesOf).flatMap(tell);
      const traces = told.flatMap((tellable, caseIndex) => tracesOf(tellable).map((path) => ({ caseIndex, path })));
      const attachments = attachmentsIn(chosen);
      return { testCases, traces, attachments, matchesStream: changed.length === 0, unsent };
    },
  };
};

/** Whether more of a test has come in the meantime: Vitest tells of its output and annotations apart from its end. */
const extentOf = (tellable: Tellable): number =>
  tellable.type === 'test'
    ? logsOf(tellable).length +
      annotationsOf(tellable).length +
      artifactsOf(tellable).length +
      (tellable.result().state === 'pending' ? 0 : 1)
    : tellable.errors().length;

/** After a run was given up Vitest says that tests have ended which never began. */
const isOver = (tellable: Tellable): boolean => tellable.type !== 'test' || tellable.result().state !== 'pending';

const buildCaseOrLess = (tellable: Tellable, root: string): SubmittedCase => {
  try {
    return buildCaseOf(tellable, root);
  } catch (error) {
    const title = tellable.type === 'module' ? tellable.moduleId : tellable.fullName;
    return unreadableCase(title, tellable.type === 'test' && tellable.ok() ? 'passed' : 'failed', error);
  }
};
