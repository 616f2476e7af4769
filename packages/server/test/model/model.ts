import {
  type ProjectChange,
  type RunDetails,
  type Shards,
  type Submission,
  type SubmissionReply,
  type SubmittedCase,
  resultId,
} from '@assay/contract';
import { browserOf, placeOf } from './figures.ts';

export interface ModelProject {
  readonly id: number;
  readonly name: string;
  label: string | null;
  description: string | null;
}

/** A case as it was sent, with what its traces added. */
export interface ModelCase extends SubmittedCase {
  traces?: number;
  /** The names of its attachments. */
  attachments?: readonly string[];
}

export interface ModelRun {
  readonly id: number;
  readonly project: ModelProject;
  body: Submission;
  cases: readonly ModelCase[];
  /** The shard of each case, where the run came in parts; 0 for none. */
  shardsOfCases: readonly number[];
  startMs: number;
  deleted: boolean;
  /** What it came in, when that was more than one submission. */
  shards: Shards | null;
  expectedTests: number | null;
  missingTests: number;
  /** Whether the ids of its results follow from their places. */
  inParts: boolean;
  /** What only the service can know of a run, taken from its first answer. */
  learned: Learned | null;
}

export interface Learned {
  readonly createdAt: string;
  readonly testIds: readonly number[];
  readonly caseIds: readonly number[];
}

/** Everything that was submitted, in the order of its arrival. */
export interface Model {
  readonly projects: ModelProject[];
  readonly runs: ModelRun[];
  /** The id of every test that has a result, by its identity. */
  readonly testIds: Map<string, number>;
  /** Which test every id ever stood for. */
  readonly identities: Map<number, string>;
}

export const createModel = (): Model => ({ projects: [], runs: [], testIds: new Map(), identities: new Map() });

export const recordSubmission = (model: Model, sent: Submission, reply: SubmissionReply): ModelRun => {
  if (model.runs.some(({ id }) => id === reply.testRunId)) throw new Error(`Run ${reply.testRunId} was there before`);
  const body = JSON.parse(JSON.stringify(sent)) as Submission;
  const run: ModelRun = {
    id: reply.testRunId,
    project: projectOf(model, body.projectName.trim(), reply.projectId),
    body,
    cases: body.testCases ?? [],
    shardsOfCases: [],
    startMs: Date.parse(body.startTime),
    deleted: false,
    shards: null,
    expectedTests: null,
    missingTests: 0,
    inParts: false,
    learned: null,
  };
  model.runs.push(run);
  return run;
};

const projectOf = (model: Model, name: string, id: number): ModelProject => {
  const known = model.projects.find((project) => project.name === name || project.id === id);
  if (known === undefined) {
    const made: ModelProject = { id, name, label: null, description: null };
    model.projects.push(made);
    return made;
  }
  if (known.name === name && known.id === id) return known;
  throw new Error(`Project ${known.id} "${known.name}" is now project ${id} "${name}"`);
};

export const recordDeletion = (model: Model, run: ModelRun): void => {
  run.deleted = true;
  forgetVanishedTests(model, run.project);
};

/** A test whose last result went is gone; when it comes back it may have another id, but never that of another test. */
export const forgetVanishedTests = (model: Model, project: ModelProject): void => {
  const left = new Set<string>();
  for (const run of liveRuns(model, project)) for (const sent of run.cases) left.add(identityOf(project, sent));
  for (const identity of model.testIds.keys()) {
    const [projectId] = JSON.parse(identity) as [number];
    if (projectId === project.id && !left.has(identity)) model.testIds.delete(identity);
  }
};

export const recordChange = (project: ModelProject, change: ProjectChange): void => {
  if (change.label !== undefined) project.label = change.label;
  if (change.description !== undefined) project.description = change.description;
};

const DAY_MS = 86_400_000;

/** How many runs went. */
export const recordCleanup = (model: Model, olderThanDays: number, nowMs: number): number => {
  const old = liveRuns(model).filter((run) => run.startMs < nowMs - olderThanDays * DAY_MS);
  for (const run of old) run.deleted = true;
  for (const project of new Set(old.map((run) => run.project))) forgetVanishedTests(model, project);
  return old.length;
};

/** Takes the ids of the tests from an answer, and refuses ids that contradict those of another answer. */
export const learnRun = (model: Model, run: ModelRun, answer: RunDetails): void => {
  const testIds = answer.testCases.map(({ testId }) => testId);
  if (testIds.length !== run.cases.length) throw new Error(`Run ${run.id} has ${testIds.length} cases`);
  for (const [index, testId] of testIds.entries()) {
    const identity = identityOf(run.project, run.cases[index]!);
    const known = model.testIds.get(identity) ?? testId;
    if (known !== testId) throw new Error(`${identity} was test ${known} and is ${testId} in run ${run.id}`);
    const other = model.identities.get(testId) ?? identity;
    if (other !== identity) throw new Error(`Test ${testId} was ${other} and is ${identity} in run ${run.id}`);
    model.testIds.set(identity, testId);
    model.identities.set(testId, identity);
  }
  const caseIds = answer.testCases.map(({ id }) => id);
  for (const [index, id] of caseIds.entries()) {
    if (!run.inParts && id !== resultId(run.id, index)) throw new Error(`Case ${index} of run ${run.id} is ${id}`);
  }
  run.learned = { createdAt: answer.createdAt, testIds, caseIds };
};

const identityOf = (project: ModelProject, sent: SubmittedCase): string =>
  JSON.stringify([project.id, placeOf(sent).filePath, sent.title, browserOf(sent)]);

export const learnedOf = (run: ModelRun): NonNullable<ModelRun['learned']> => {
  if (run.learned === null) throw new Error(`Nothing was learned of run ${run.id}`);
  return run.learned;
};

/** Of the case at a place of a run. */
export const caseIdOf = (run: ModelRun, index: number): number => learnedOf(run).caseIds[index]!;

/** Newest first. */
export const liveRuns = (model: Model, project?: ModelProject): ModelRun[] =>
  model.runs
    .filter((run) => !run.deleted && (project === undefined || run.project === project))
    .toSorted((a, b) => b.startMs - a.startMs || b.id - a.id);

/** One result of a test. */
export interface ModelResult {
  readonly run: ModelRun;
  readonly index: number;
  readonly sent: SubmittedCase;
  readonly testId: number;
}

/** The results of some runs by their test, in the order of the runs and of the cases in them. */
export const resultsByTest = (runs: readonly ModelRun[]): Map<number, ModelResult[]> => {
  const found = new Map<number, ModelResult[]>();
  for (const run of runs) {
    for (const [index, sent] of run.cases.entries()) {
      const testId = learnedOf(run).testIds[index]!;
      const results = found.get(testId) ?? [];
      results.push({ run, index, sent, testId });
      found.set(testId, results);
    }
  }
  return found;
};
