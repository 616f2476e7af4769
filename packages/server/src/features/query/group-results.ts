import type { QueryFigure, QueryReply } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { TestCatalogue } from '../../history/test-catalogue.ts';
import { memoise } from '../../memoise.ts';
import { weightOf, weights } from '../../segments/letters.ts';
import { type Results, isTimed, statusOf } from '../../segments/results.ts';
import { UNNAMED } from '../cases/present-case.ts';
import { causeOf } from '../insights/read-errors.ts';
import type { OwnersOf } from '../owners/codeowners.ts';
import { type Group, addDuration, dayOf, presentGroups, startGroups } from './groups.ts';
import type { SelectedRows } from './query-results.ts';
import type { Question } from './question.ts';
import { type RunsOf, type ScannedRun, listScannedRuns } from './scan-runs.ts';

interface Sources {
  readonly queries: Queries;
  readonly tests: TestCatalogue;
  readonly ownersOf: OwnersOf | null;
}

type Grouped = Question & { readonly figures: ReadonlySet<QueryFigure> };
type Found = readonly (Group | null)[];
type FindGroups = (keys: readonly (string | null)[]) => Found;

/** Results by what they have in common. */
export const groupResults = async (
  sources: Sources,
  question: Grouped,
  scan: AsyncGenerator<SelectedRows>,
  of: RunsOf,
): Promise<Partial<QueryReply>> => {
  const { by, figures, filter } = question;
  const groups = startGroups();
  const withDurations = figures.has('sum') || figures.has('quantiles');
  const withQuantiles = figures.has('quantiles');
  const keyOfRun = runKeys(by);
  if (filter.isEmpty && keyOfRun && !withDurations) {
    // Their number is known without looking at them.
    for await (const runs of listScannedRuns(sources.queries, of)) {
      for (const run of runs) {
        if (run.damage !== null || run.result_count === 0) continue;
        count(groups, [groups.find(keyOfRun(run))], run.result_count);
      }
    }
    return presentGroups(groups, question);
  }
  const find: FindGroups = (keys) => keys.map((key) => groups.find(key));
  const ofTests = new Map<number, Found>();
  for await (const { run, results, rows } of scan) {
    const ofRun = keyOfRun && find([keyOfRun(run)]);
    const groupsOf = ofRun ? () => ofRun : await rowGroups(sources, question, results, rows, find, ofTests);
    if (ofRun && !withDurations) {
      count(groups, ofRun, rows.length);
      continue;
    }
    const { status, durationMs } = results;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      const found = groupsOf(row);
      count(groups, found, 1);
      if (!withDurations) continue;
      const ms = durationMs.at(row);
      if (!isTimed(status.at(row), ms)) continue;
      for (let nth = 0; nth < found.length; nth++) {
        const group = found[nth]!;
        if (group !== null) addDuration(group, ms, withQuantiles);
      }
    }
  }
  return presentGroups(groups, question);
};

const count = (groups: ReturnType<typeof startGroups>, found: Found, rows: number): void => {
  groups.found += rows;
  for (const group of found) {
    if (group) group.count += rows;
    else groups.uncounted += rows;
  }
};

/** The key of all results of a run; null where each has its own. */
const runKeys = (by: Question['by']): ((run: ScannedRun) => string | null) | null => {
  if (by === undefined) return () => null;
  if (by === 'day') return ({ start_time }) => dayOf(start_time);
  return by === 'branch' || by === 'environment' ? (run) => run[by] : null;
};

const NO_KEY = [null];

/** The groups of each row; they are looked up once for all rows that have the same. */
const rowGroups = async (
  { tests, ownersOf }: Sources,
  { by }: Grouped,
  results: Results,
  rows: Uint32Array,
  find: FindGroups,
  ofTests: Map<number, Found>,
): Promise<(row: number) => Found> => {
  const { status, retries, error, cause, strings, testId } = results;
  if (by === 'status') {
    const ofStatus = memoise((code: number) => find([statusOf(results, code)]));
    return (row) => ofStatus(status.at(row));
  }
  if (by === 'cause') {
    await strings.prepare();
    const stored = memoise((index: number) => find([strings.at(index)]));
    const ofError = memoise((index: number) => find([causeOf(strings.at(index)) || null]));
    const none = memoise((keys: typeof NO_KEY) => find(keys));
    return (row) => {
      const index = cause.at(row);
      if (index === index) return stored(index);
      const isFailed = weightOf(status.at(row), retries.at(row)) === weights.failed;
      return isFailed && !Number.isNaN(error.at(row)) ? ofError(error.at(row)) : none(NO_KEY);
    };
  }
  const unknown = new Set<number>();
  for (const row of rows) if (!ofTests.has(testId.at(row))) unknown.add(testId.at(row));
  const named = unknown.size > 0 ? await tests.find(unknown) : null;
  for (const id of unknown) {
    const { file } = named?.get(id) ?? UNNAMED;
    const keys = by === 'owner' ? (ownersOf?.(file) ?? []) : [file];
    ofTests.set(id, find(keys.length > 0 ? keys : NO_KEY));
  }
  return (row) => ofTests.get(testId.at(row))!;
};
