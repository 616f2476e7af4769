import type { Client, RunDetails, Shards, Submission, SubmissionReply } from '@assay/contract';
import { expect } from 'vitest';
import { isFailed, isPassed, isSkipped } from './figures.ts';
import { type Model, type ModelCase, type ModelRun, forgetVanishedTests, recordSubmission } from './model.ts';

/** One try of one shard, as it was sent so far. */
export interface ModelPart {
  readonly shard: number;
  readonly total: number | null;
  readonly attempt: number;
  readonly startMs: number;
  body: Submission;
  cases: ModelCase[];
  /** `quiet` is one whose sender was silent for too long: it is shown as interrupted, and still takes more. */
  state: 'running' | 'quiet' | 'finished';
  expectedTests: number | null;
  /** The ids of its results, once they were seen. */
  ids: readonly number[] | null;
}

/** A run that its key names, with the parts that count. */
export interface KeyedRun {
  readonly run: ModelRun;
  readonly parts: Map<number, ModelPart>;
  /** Ids that results of replaced parts had. */
  readonly gone: number[];
}

/** By project and run key. */
export type KeyedRuns = Map<string, KeyedRun>;

export const partOf = (body: Submission, state: ModelPart['state']): ModelPart => {
  const sent = JSON.parse(JSON.stringify(body)) as Submission;
  return {
    shard: sent.shard?.index ?? 0,
    total: sent.shard?.total ?? null,
    attempt: sent.attempt ?? 1,
    startMs: Date.parse(sent.startTime),
    body: sent,
    cases: [...(sent.testCases ?? [])],
    state,
    expectedTests: null,
    ids: null,
  };
};

/** What the rules say becomes of a part that arrives; the part that counts of its shard from then on. */
export const recordPart = (model: Model, keyed: KeyedRuns, key: string, part: ModelPart, reply: SubmissionReply) => {
  let found = keyed.get(key);
  if (found === undefined || found.run.deleted) {
    const run = recordSubmission(model, part.body, reply);
    found = { run, parts: new Map(), gone: [] };
    keyed.set(key, found);
  }
  expect(reply.testRunId, 'the run of a part').toBe(found.run.id);
  const present = found.parts.get(part.shard);
  if (present !== undefined && !takesPlace(part, present)) return present;
  if (present?.ids) found.gone.push(...present.ids);
  found.parts.set(part.shard, part);
  unite(model, found);
  return part;
};

const takesPlace = (given: ModelPart, present: ModelPart): boolean => {
  const order = given.attempt - present.attempt || given.startMs - present.startMs;
  if (present.state !== 'finished') return order > 0 || (order === 0 && given.state === 'finished');
  return present.shard > 0 && order > 0;
};

const WORST_FIRST = ['failed', 'timedout', 'interrupted', 'broken', 'passed', 'skipped'];

/** The run that its parts make, computed from nothing but them. */
export const unite = (model: Model, { run, parts }: KeyedRun): void => {
  const inOrder = [...parts.values()].toSorted((a, b) => a.shard - b.shard);
  const count = (
    sent: 'totalTests' | 'passedTests' | 'failedTests' | 'skippedTests',
    holds: (status: string) => boolean,
  ) =>
    inOrder.reduce(
      (sum, { body, cases }) => sum + (body[sent] ?? cases.filter(({ status }) => holds(status)).length),
      0,
    );
  const firstOf = <T>(value: (body: Submission) => T): T | null =>
    inOrder.map(({ body }) => value(body) ?? null).find((one) => one !== null) ?? null;
  const durations = inOrder.flatMap(({ body }) => body.duration ?? []);
  const running = inOrder.filter(({ state }) => state === 'running');
  const startMs = Math.min(...inOrder.map((part) => part.startMs));
  run.startMs = startMs;
  run.cases = inOrder.flatMap(({ cases }) => cases);
  run.shardsOfCases = inOrder.flatMap(({ cases, shard }) => cases.map(() => shard));
  run.body = {
    projectName: run.body.projectName,
    status:
      running.length > 0 ? 'running' : WORST_FIRST.find((status) => inOrder.some((part) => statusOf(part) === status))!,
    startTime: new Date(startMs).toISOString(),
    duration: durations.length === 0 ? null : Math.max(...durations),
    totalTests: count('totalTests', () => true),
    passedTests: count('passedTests', isPassed),
    failedTests: count('failedTests', isFailed),
    skippedTests: count('skippedTests', isSkipped),
    branch: firstOf(({ branch }) => branch),
    commit: firstOf(({ commit }) => commit),
    metadata: firstOf(({ metadata }) => metadata),
  };
  run.shards = shardsOf(inOrder);
  run.expectedTests = running.some(({ expectedTests }) => expectedTests !== null)
    ? inOrder.reduce((sum, part) => {
        const total = part.body.totalTests ?? part.cases.length;
        return sum + (part.state === 'running' ? Math.max(part.expectedTests ?? 0, total) : total);
      }, 0)
    : null;
  const missing = inOrder.reduce(
    (sum, part) => sum + Math.max(0, (part.expectedTests ?? 0) - (part.body.totalTests ?? part.cases.length)),
    0,
  );
  run.missingTests = inOrder.some(({ state }) => state === 'running') ? 0 : missing;
  run.inParts = true;
  run.learned = null;
  forgetVanishedTests(model, run.project);
};

const statusOf = ({ state, body }: ModelPart): string => (state === 'quiet' ? 'interrupted' : body.status);

const shardsOf = (parts: readonly ModelPart[]): Shards | null => {
  const totals = parts.flatMap(({ total }) => total ?? []);
  if (totals.length === 0) return null;
  const total = Math.max(...totals);
  const missing = [];
  for (let index = 1; index <= total; index++) if (parts.every(({ shard }) => shard !== index)) missing.push(index);
  return {
    total,
    missing,
    parts: parts.map((part) => ({
      index: part.shard,
      attempt: part.attempt,
      status: part.state === 'running' ? 'running' : statusOf(part),
      startTime: new Date(part.startMs).toISOString(),
      duration: part.state === 'running' ? null : (part.body.duration ?? null),
      totalTests: part.body.totalTests ?? part.cases.length,
    })),
  };
};

/** Results keep the ids that they were first seen with, and ids of replaced parts are gone. */
export const compareIds = async (client: Client, keyed: KeyedRuns): Promise<void> => {
  for (const { run, parts, gone } of keyed.values()) {
    if (run.deleted) continue;
    const { testCases }: RunDetails = await client.getRun({ params: { id: run.id }, query: { details: false } });
    const ids = testCases.map(({ id }) => id);
    expect(new Set(ids).size, 'distinct ids').toBe(ids.length);
    let at = 0;
    for (const part of [...parts.values()].toSorted((a, b) => a.shard - b.shard)) {
      const own = ids.slice(at, at + part.cases.length);
      if (part.ids !== null) expect(own.slice(0, part.ids.length), 'ids of a part').toEqual(part.ids);
      part.ids = own;
      at += part.cases.length;
    }
    expect(
      ids.filter((id) => gone.includes(id)),
      'ids that were given before',
    ).toEqual([]);
    for (const id of gone.slice(-2))
      await expect(client.getTestCase({ params: { id } })).rejects.toThrow('There is no test case');
  }
};
