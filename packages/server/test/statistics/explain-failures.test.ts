import { expect, it } from 'vitest';
import { type Failure, explainFailures } from '../../src/statistics/explain-failures.ts';
import { measureExplanations } from './explain-truth.ts';

const failure = (fields: Partial<Failure> = {}): Failure => ({
  cause: null,
  since: null,
  isKnownFlake: false,
  flakesAlike: 0,
  shard: null,
  worker: null,
  browser: null,
  environment: null,
  version: null,
  file: null,
  touched: null,
  startMs: null,
  ...fields,
});

const among = (ran: number, shards: readonly (readonly [string, number])[] = []) => ({
  ran,
  at: {
    shard: new Map(shards),
    worker: new Map(),
    browser: new Map(),
    environment: new Map(),
    version: new Map(),
    file: new Map(),
    touched: new Map(),
  },
  startsMs: new Float64Array(),
  news: [],
});

it('what was planted is told first, and hardly anything else', () => {
  const { told, tooMany } = measureExplanations('planted', 3);
  expect(told).toBeGreaterThanOrEqual(0.9);
  expect(tooMany).toBeLessThan(0.05);
});

it('no failures need no statement', () => {
  expect(explainFailures([], among(10))).toEqual({ statements: [], unexplained: [] });
});

it('failures that have nothing in common are not explained', () => {
  const failures = ['a', 'b', 'c'].map((cause) => failure({ cause }));
  expect(explainFailures(failures, among(100))).toEqual({ statements: [], unexplained: [0, 1, 2] });
});

it('a place that all of the run is in explains nothing', () => {
  const failures = Array.from({ length: 10 }, (_, at) => failure({ shard: '1', cause: `${at}` }));
  expect(explainFailures(failures, among(100, [['1', 100]])).statements).toEqual([]);
});

it('a cause comes with the shard that all of it is in', () => {
  const failures = Array.from({ length: 10 }, () => failure({ shard: '3', cause: 'ECONNREFUSED' }));
  const shards = ['1', '2', '3', '4'].map((shard) => [shard, 250] as const);
  const { statements, unexplained } = explainFailures(failures, among(1_000, shards));
  expect(statements).toHaveLength(1);
  expect(statements[0]!.traits).toEqual(
    expect.arrayContaining([
      { kind: 'cause', cause: 'ECONNREFUSED' },
      { kind: 'place', place: 'shard', value: '3' },
    ]),
  );
  expect(unexplained).toEqual([]);
});

it('what failed before is told as that, and not by its cause', () => {
  const failures = Array.from({ length: 4 }, () => failure({ since: 7, cause: 'same' }));
  const [statement] = explainFailures(failures, among(100)).statements;
  expect(statement!.traits).toEqual([
    { kind: 'since', run: 7 },
    { kind: 'cause', cause: 'same' },
  ]);
});
