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
type Keys = readonly (string | null)[];

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
  const keysOfTests = new Map<number, Keys>();
  for await (const { run, results, rows } of scan) {
    const keysOf = keyOfRun ? null : await rowKeys(sources, question, results, rows, keysOfTests);
    const ofRun = keyOfRun && [groups.find(keyOfRun(run))];
    if (ofRun && !withDurations) {
      count(groups, ofRun, rows.length);
      continue;
    }
    for (const row of rows) {
      const found = ofRun ?? keysOf!(row).map((key) => groups.find(key));
      count(groups, found, 1);
      if (!withDurations || !isTimed(results.status.at(row), results.durationMs.at(row))) continue;
      for (const group of found) if (group) addDuration(group, results.durationMs.at(row), figures.has('quantiles'));
    }
  }
  return presentGroups(groups, question);
};

const count = (groups: ReturnType<typeof startGroups>, found: readonly (Group | null)[], rows: number): void => {
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

const NO_KEY: Keys = [null];

const rowKeys = async (
  { tests, ownersOf }: Sources,
  { by }: Grouped,
  results: Results,
  rows: Uint32Array,
  keysOfTests: Map<number, Keys>,
): Promise<(row: number) => Keys> => {
  const { status, retries, error, cause, strings, testId } = results;
  if (by === 'status') {
    const keys = memoise((code: number): Keys => [statusOf(results, code)]);
    return (row) => keys(status.at(row));
  }
  if (by === 'cause') {
    await strings.prepare();
    const stored = memoise((index: number): Keys => [strings.at(index)]);
    const found = memoise((index: number): Keys => [causeOf(strings.at(index)) || null]);
    return (row) => {
      const index = cause.at(row);
      if (index === index) return stored(index);
      const isFailed = weightOf(status.at(row), retries.at(row)) === weights.failed;
      return isFailed && !Number.isNaN(error.at(row)) ? found(error.at(row)) : NO_KEY;
    };
  }
  const unknown = new Set<number>();
  for (const row of rows) if (!keysOfTests.has(testId.at(row))) unknown.add(testId.at(row));
  const named = unknown.size > 0 ? await tests.find(unknown) : null;
  for (const id of unknown) {
    const { file } = named?.get(id) ?? UNNAMED;
    const owners = by === 'owner' ? (ownersOf?.(file) ?? []) : [file];
    keysOfTests.set(id, owners.length > 0 ? owners : NO_KEY);
  }
  return (row) => keysOfTests.get(testId.at(row))!;
};
