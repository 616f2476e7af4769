import {
  type FailureVerdict,
  MOST_EXPLAINED,
  MOST_VERDICT_TERMS,
  type RunVerdicts,
  type VerdictTerm,
  resultId,
} from '@assay/contract';
import type { Context } from '../../context.ts';
import { writeWithLists } from '../../http/json-pieces.ts';
import { weights } from '../../segments/letters.ts';
import type { Results } from '../../segments/results.ts';
import { indexAt } from '../../segments/row-indices.ts';
import { explainInSteps } from '../../statistics/explain-failures.ts';
import { learnHabits } from '../../statistics/flake-events.ts';
import type { Bits, Term } from '../../statistics/verdict-terms.ts';
import {
  type JudgedFailure,
  type Judgement,
  countCauses,
  createJudge,
  createPlaces,
} from '../../statistics/verdicts.ts';
import { inTurns } from '../../turns.ts';
import { readFailures } from './explain-run.ts';
import { type FailureRows, startFailureRows } from './failure-rows.ts';
import { massShareOf } from './outages.ts';
import type { ShownRun } from './present-run.ts';
import { NO_CONDITIONS } from './run-conditions.ts';
import { presentRunRef } from './run-refs.ts';
import { readChange } from './verdict-change.ts';
import { type PastRuns, type ReadPast, listPastRuns, numberCauses, readPast } from './verdict-past.ts';

const VERDICTS_PER_PIECE = 100;
/** Of more failures, only so many are looked at for where they are: that is done in one piece. */
const MOST_PLACED = 1_000;

/** Writes the JSON of why each failure of a run is there, some at a time. */
export async function* writeVerdicts(
  context: Context,
  run: ShownRun,
  results: Results,
  only: number | undefined,
): AsyncGenerator<string> {
  const rows = await startFailureRows(results);
  const failed: number[] = [];
  for (const [test, weight] of rows.weight.entries()) if (weight === weights.failed) failed.push(test);
  const isAsked = (test: number): boolean => resultId(run.id, indexAt(results, rows.row[test]!)) === only;
  const looked = only === undefined ? failed.slice(0, MOST_EXPLAINED) : failed.filter(isAsked);
  const past = await listPastRuns(context.queries, run);
  const base = past.base.at(-1);
  const subject: Subject = { run, results, rows, past };
  const { judgements, comparedRuns, commits } = await judgeEach(context, subject, looked);
  const counts = { yours: 0, base: 0, flake: 0, outage: 0, unknown: 0 };
  for (const { verdict } of judgements) counts[verdict]++;
  const head: Omit<RunVerdicts, 'verdicts'> = {
    failures: failed.length,
    lookedAt: looked.length,
    base: base ? presentRunRef(base) : null,
    baseBy: past.baseBy,
    comparedRuns,
    commits,
    counts,
  };
  const write = async function* (): AsyncGenerator<string> {
    for (let from = 0; from < looked.length; from += VERDICTS_PER_PIECE) {
      const some = looked.slice(from, from + VERDICTS_PER_PIECE);
      const withTerms = from < MOST_VERDICT_TERMS;
      yield JSON.stringify(some.map((test, at) => present(subject, test, judgements[from + at]!, withTerms)));
    }
  };
  yield* writeWithLists(head, { verdicts: write() });
}

interface Subject {
  readonly run: ShownRun;
  readonly results: Results;
  readonly rows: FailureRows;
  readonly past: PastRuns;
}

const judgeEach = async (context: Context, { run, results, rows, past }: Subject, failed: readonly number[]) => {
  if (failed.length === 0) return { judgements: [], comparedRuns: 0, commits: null };
  const causes = numberCauses();
  const { failures, surroundings } = await readFailures(context, run, results, {
    past: NO_PAST,
    touches: () => false,
    conditions: NO_CONDITIONS,
  });
  const change = await readChange(context.queries, run, past.from, surroundings.at.file);
  const read = await readPast(context, past, rows.tests, causes, change.hashes);
  const habits = await inTurns(
    learnHabits(
      read.base.map((each) => each.run),
      read.base.map(({ outcomes }) => outcomes),
      rows.tests.ids.length,
    ),
  );
  const sample = failures.filter((_, at) => at % Math.ceil(failures.length / MOST_PLACED) === 0);
  const placeOf = createPlaces(await inTurns(explainInSteps(sample, surroundings)), sample, surroundings);
  const byCase = new Map(failures.map((failure) => [failure.testCaseId, failure]));
  const byCause = Map.groupBy(failures, ({ cause }) => cause);
  const judge = createJudge({
    past: read,
    isBaseSure: past.baseBy === 'commit' || past.baseBy === 'previous',
    habits,
    causes: await inTurns(countCauses(read.base, rows.tests.ids.length)),
    change: change.change,
    massShare: massShareOf(run, past.base),
    otherBranches: read.otherBranches,
  });
  const newnessOf = await createNewness(context, { past, read, rows }, failed);
  const judgeTest = (test: number): Judgement => {
    const row = rows.row[test]!;
    const failure = byCase.get(resultId(run.id, indexAt(results, row)));
    const text = failure?.cause ?? null;
    const cause = text === null ? 0 : causes.of(text);
    return judge({
      test,
      retries: results.retries.values[row]!,
      cause,
      alike: text === null ? 0 : byCause.get(text)!.length - 1,
      elsewhere: read.elsewhere.get(cause)?.size ?? 0,
      isAround: text !== null && AROUND.test(text),
      isTouched: failure !== undefined && change.touches(failure.file),
      place: failure ? placeOf(failure) : null,
      newness: newnessOf(test, cause),
    });
  };
  const judgements = await inTurns(
    (function* () {
      const each: Judgement[] = [];
      for (const test of failed) {
        each.push(judgeTest(test));
        yield;
      }
      return each;
    })(),
  );
  const { base, branch, commit } = read;
  return { judgements, comparedRuns: base.length + branch.length + commit.length, commits: change.commits };
};

/** What came before is evidence of its own here. */
const NO_PAST = { since: new Map<number, number>(), knownFlakes: new Map<number, never>() };

/** Errors of what is around tests. */
const AROUND =
  /\bE(?:CONN(?:REFUSED|RESET|ABORTED)|TIMEDOUT|NOTFOUND|AI_AGAIN|PIPE|HOSTUNREACH|NETUNREACH|NOSPC|MFILE|NOMEM)\b|net::ERR_|NS_ERROR_(?:CONNECTION|NET)|socket hang up|connection (?:refused|reset|closed|timed out)|no space left|out of memory|heap limit|service unavailable|bad gateway|gateway time-?out|too many (?:requests|connections)|(?:browser|page|context|target) (?:has been closed|crashed)|certificate has expired|temporary failure in name resolution/i;

/** More are not looked up: then it is not known which test was renamed. */
const MOST_GONE = 2_000;

interface Known {
  readonly past: PastRuns;
  readonly read: ReadPast;
  readonly rows: FailureRows;
}

/** Whether a test is new, or may be one of those that are gone under another name. */
const createNewness = async (
  { tests }: Context,
  { past, read, rows }: Known,
  failed: readonly number[],
): Promise<(test: number, cause: number) => JudgedFailure['newness']> => {
  const last = past.base.at(-1);
  const isWhole = last !== undefined && last.filtered !== 1 && 2 * last.total_tests >= rows.tests.ids.length;
  const unseen = failed.filter((test) => read.base.every(({ outcomes }) => outcomes[test] === weights.notRun));
  if (!isWhole || unseen.length === 0 || read.base.length === 0) return () => null;
  const areMany = read.gone.size > MOST_GONE;
  const names = await tests.find([
    ...(areMany ? [] : read.gone.keys()),
    ...unseen.map((test) => rows.tests.ids[test]!),
  ]);
  const goneBy = (keyOf: (name: { readonly file: string; readonly title: string }) => string) =>
    Map.groupBy(read.gone.keys(), (id) => {
      const name = names.get(id);
      return name ? keyOf(name) : null;
    });
  const byFile = goneBy(({ file }) => file);
  const byTitle = goneBy(({ title }) => title);
  const areNew = new Set(unseen);
  return (test, cause) => {
    if (!areNew.has(test)) return null;
    const name = names.get(rows.tests.ids[test]!);
    if (areMany || !name) return 'renamed';
    const rivals = [...(byFile.get(name.file) ?? []), ...(byTitle.get(name.title) ?? [])];
    if (cause !== 0 && rivals.some((id) => read.gone.get(id) === cause)) return 'renamedBroken';
    return rivals.length > 0 ? 'renamed' : 'new';
  };
};

const present = (
  { run, results, rows }: Subject,
  test: number,
  { verdict, odds, terms }: Judgement,
  withTerms: boolean,
): FailureVerdict => ({
  testCaseId: resultId(run.id, indexAt(results, rows.row[test]!)),
  testId: rows.tests.ids[test]!,
  verdict,
  odds: rounded(odds, 4),
  terms: withTerms ? terms.map(presentTerm) : [],
});

const presentTerm = ({ bits, ...term }: Term): VerdictTerm => ({
  outcome: null,
  count: null,
  of: null,
  rate: null,
  ...term,
  bits: rounded(bits, 2),
});

const rounded = ({ yours, base, flake, outage }: Bits, digits: number): Bits => {
  const round = (number: number): number => Number(number.toFixed(digits));
  return { yours: round(yours), base: round(base), flake: round(flake), outage: round(outage) };
};
