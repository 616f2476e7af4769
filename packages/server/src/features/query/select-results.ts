import { isFlaky } from '@assay/contract';
import type { FilterRow } from '@assay/contract/filter';
import { RESULT_FIELDS } from '@assay/contract/filter';
import { type Condition, conditionsOf } from '@assay/contract/filter-sql';
import type { CataloguedTest, TestCatalogue } from '../../history/test-catalogue.ts';
import { NO_RESULTS } from '../../segments/merge-results.ts';
import { type Results, statusOf } from '../../segments/results.ts';
import { placeAt } from '../../segments/row-indices.ts';
import type { RowSpan } from '../../turns.ts';
import { UNNAMED } from '../cases/present-case.ts';
import type { OwnersOf } from '../owners/codeowners.ts';
import type { Budget } from './budget.ts';
import { holds } from './holds.ts';
import type { QueryFilter } from './question.ts';

/** Where fields come from, those that cost least first. */
const SOURCES = ['outcome', 'column', 'test', 'tags', 'error', 'earlier runs'] as const;
type Source = (typeof SOURCES)[number];

const SOURCE_OF: Readonly<Record<string, Source>> = {
  status: 'outcome',
  retries: 'outcome',
  flaky: 'outcome',
  duration: 'column',
  line: 'column',
  shard: 'column',
  title: 'test',
  file: 'test',
  browser: 'test',
  owner: 'test',
  tag: 'tags',
  error: 'error',
  new: 'earlier runs',
};

/** What a selection needs to know of results beyond their columns. */
export interface ResultSources {
  readonly tests: TestCatalogue;
  readonly ownersOf: OwnersOf | null;
  /** The rows of a run that failed and had not failed before. */
  findNew(runId: number, results: Results): Promise<ReadonlySet<number>>;
}

/** Finds the rows of blocks for which all conditions of a filter hold. */
export interface Selection {
  of(runId: number, results: Results, span: RowSpan): Promise<Uint32Array>;
  /** As they are evaluated, with how many rows each was asked for. */
  readonly conditions: readonly { readonly text: string; readonly reads: readonly string[]; readonly asked: number }[];
}

interface Planned extends Condition {
  readonly reads: ReadonlySet<Source>;
  readonly rank: number;
  asked: number;
  /** Answers by what the rows have, where that is one thing; those of a test hold in all runs. */
  readonly answers: Map<number, boolean> | null;
}

export const planSelection = (filter: QueryFilter, sources: ResultSources, budget: Budget): Selection => {
  const planned = conditionsOf(filter.tree, RESULT_FIELDS)
    .map(plan)
    .sort((a, b) => a.rank - b.rank);
  const reader = createReader(sources.ownersOf);
  let ofNew: { readonly results: Results; readonly rows: ReadonlySet<number> } | null = null;

  const prepare = async (
    { reads, answers }: Planned,
    runId: number,
    results: Results,
    rows: Uint32Array,
  ): Promise<void> => {
    if (reads.has('test')) {
      const ids = new Set<number>();
      for (const row of rows) {
        const id = results.testId.at(row);
        if (answers?.has(id) !== true) ids.add(id);
      }
      reader.tests = await sources.tests.find(ids);
    }
    if (reads.has('error') || reads.has('tags')) await results.strings.prepare();
    if (reads.has('earlier runs')) {
      if (ofNew?.results !== results) ofNew = { results, rows: await sources.findNew(runId, results) };
      reader.newRows = ofNew.rows;
    }
  };

  const narrow = async (condition: Planned, results: Results, rows: Uint32Array): Promise<Uint32Array> => {
    const { answers } = condition;
    const ask = (row: number): boolean => {
      condition.asked++;
      reader.row = row;
      return holds(condition.holds, reader.fields);
    };
    const keyOf = answers && keyOfRows(condition, results);
    if (keyOf && !condition.reads.has('test')) answers.clear();
    let kept = 0;
    await budget.each(rows.length, (at) => {
      const row = rows[at]!;
      let answer;
      if (keyOf) {
        const key = keyOf(row);
        answer = answers.get(key);
        if (answer === undefined) answers.set(key, (answer = ask(row)));
      } else answer = ask(row);
      if (answer) rows[kept++] = row;
    });
    return rows.subarray(0, kept);
  };

  return {
    async of(runId, results, { from, to }) {
      reader.open(results);
      let first = 0;
      let rows: Uint32Array;
      const [cheapest] = planned;
      if (cheapest && cheapest.rank === 0) {
        rows = selectOutcomes(cheapest, results, { from, to }, reader);
        first = 1;
      } else rows = rowsBetween(from, to);
      for (const condition of planned.slice(first)) {
        if (rows.length === 0) break;
        await prepare(condition, runId, results, rows);
        reader.open(results);
        rows = await narrow(condition, results, rows);
      }
      return rows;
    },
    get conditions() {
      return planned.map(({ text, fields, asked }) => ({
        text,
        reads: [...(fields ?? Object.keys(SOURCE_OF))],
        asked,
      }));
    },
  };
};

const plan = (condition: Condition): Planned => {
  const fields = condition.fields ?? Object.keys(SOURCE_OF);
  const reads = new Set([...fields].map((field) => SOURCE_OF[field]!));
  const rank = Math.max(0, ...[...reads].map((source) => SOURCES.indexOf(source)));
  const [only] = reads;
  const isShared = reads.size === 1 && (only === 'test' || only === 'tags' || only === 'error');
  return { ...condition, reads, rank, asked: 0, answers: isShared ? new Map() : null };
};

/** What the answer of a condition depends on. */
const keyOfRows = ({ reads }: Planned, { testId, tags, error }: Results): ((row: number) => number) => {
  const column = reads.has('test') ? testId : reads.has('tags') ? tags : error;
  return (row) => column.at(row);
};

/** Few outcomes are in a block, so that each is asked once and the rest is a loop over what is stored. */
const selectOutcomes = (condition: Planned, results: Results, { from, to }: RowSpan, reader: Reader): Uint32Array => {
  const statuses = results.status.packed();
  const retries = results.retries.packed();
  const ask = (row: number): number => {
    condition.asked++;
    reader.row = row;
    return holds(condition.holds, reader.fields) ? HOLDS : FAILS;
  };
  if (statuses === null && retries === null) return from < to && ask(from) === HOLDS ? rowsBetween(from, to) : NO_ROWS;
  const selected = new Uint32Array(to - from);
  let count = 0;
  if (retries === null) {
    const answers = new Uint8Array(results.strings.count + MOST_CODES);
    for (let row = from; row < to; row++) {
      const status = statuses![row]!;
      const answer = answers[status] || (answers[status] = ask(row));
      if (answer === HOLDS) selected[count++] = row;
    }
  } else {
    const answers = new Map<number, number>();
    for (let row = from; row < to; row++) {
      const key = (statuses === null ? 0 : statuses[row]!) * MOST_RETRIES + retries[row]!;
      let answer = answers.get(key);
      if (answer === undefined) answers.set(key, (answer = ask(row)));
      if (answer === HOLDS) selected[count++] = row;
    }
  }
  return selected.subarray(0, count);
};

/** Codes of statuses are those of ours, and one for each string of a block. */
const MOST_CODES = 8;
/** Retries are stored as numbers below. */
const MOST_RETRIES = 2 ** 32;
const HOLDS = 1;
const FAILS = 2;
const NO_ROWS = new Uint32Array(0);

const rowsBetween = (from: number, to: number): Uint32Array => {
  const rows = new Uint32Array(to - from);
  for (let at = 0; at < rows.length; at++) rows[at] = from + at;
  return rows;
};

interface Reader {
  readonly fields: FilterRow;
  row: number;
  tests: ReadonlyMap<number, CataloguedTest>;
  newRows: ReadonlySet<number>;
  open(results: Results): void;
}

const NONE: readonly string[] = [];

/** One row for all results, whose fields are read when a filter asks for them. */
const createReader = (ownersOf: OwnersOf | null): Reader => {
  let results: Results = NO_RESULTS;
  const orNull = (value: number): number | null => (value === value ? value : null);
  const test = () => reader.tests.get(results.testId.at(reader.row)) ?? UNNAMED;
  const status = (): string => statusOf(results, results.status.at(reader.row));
  const fields = {
    get status() {
      return status();
    },
    get title() {
      return test().title;
    },
    get file() {
      return test().file;
    },
    get error() {
      const index = results.error.at(reader.row);
      return index === index ? results.strings.at(index) : null;
    },
    get duration() {
      return orNull(results.durationMs.at(reader.row));
    },
    get retries() {
      return results.retries.at(reader.row);
    },
    get flaky() {
      return isFlaky(status(), results.retries.at(reader.row));
    },
    get new() {
      return reader.newRows.has(reader.row);
    },
    get tag() {
      const index = results.tags.at(reader.row);
      return index === index ? (JSON.parse(results.strings.at(index)) as readonly string[]) : NONE;
    },
    get owner() {
      return ownersOf?.(test().file) ?? NONE;
    },
    get browser() {
      return test().browser;
    },
    get shard() {
      const { shard } = placeAt(results, reader.row);
      return shard > 0 ? shard : null;
    },
    get line() {
      return orNull(results.line.at(reader.row));
    },
  };
  const reader: Reader = {
    fields,
    row: 0,
    tests: new Map(),
    newRows: new Set(),
    open(opened) {
      results = opened;
    },
  };
  return reader;
};
