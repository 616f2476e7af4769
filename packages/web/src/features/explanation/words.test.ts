import type { ExplainingStatement, SharedTrait } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { filterOf, leadWords, sharedWords } from './words.ts';

const trait = (kind: SharedTrait['kind'], fields: Partial<SharedTrait> = {}): SharedTrait => ({
  kind,
  value: null,
  before: null,
  since: null,
  from: null,
  to: null,
  ...fields,
});
const run = {
  id: 7,
  status: 'failed',
  startTime: '2026-01-05T09:00:00.000Z',
  duration: null,
  branch: null,
  commit: null,
};
const statement = (traits: readonly SharedTrait[], failures = 5, ran: number | null = null): ExplainingStatement => ({
  failures,
  ran,
  traits: [...traits],
  flakes: null,
  results: [],
});

describe('a statement', () => {
  it.each([
    [statement([trait('cause', { value: 'x' })]), 'fail with one cause', null],
    [
      statement([trait('since', { since: run })]),
      'failed before already, since run #7',
      'status:failed,timedOut,interrupted -new',
    ],
    [
      { ...statement([trait('flake')]), flakes: { runs: 7, withThisError: 3, timesWithThisError: 9 } },
      'are of tests that were flaky before, 3 of them with this error',
      null,
    ],
    [
      { ...statement([trait('flake')], 1), flakes: { runs: 7, withThisError: 1, timesWithThisError: 5 } },
      'is of a test that was flaky before, in 7 runs, with this error in 5 of them',
      null,
    ],
    [
      { ...statement([trait('flake')], 1), flakes: { runs: 7, withThisError: 1, timesWithThisError: 7 } },
      'is of a test that was flaky before, in 7 runs, always with this error',
      null,
    ],
    [
      { ...statement([trait('flake')], 1), flakes: { runs: 7, withThisError: 0, timesWithThisError: 0 } },
      'is of a test that was flaky before, in 7 runs, with other errors',
      null,
    ],
    [
      statement([trait('version', { value: 'playwright 1.50.0', before: '1.49.1' })]),
      'are new in the first run with playwright 1.50.0, after 1.49.1',
      null,
    ],
    [statement([trait('environment', { value: 'staging' })]), 'are new in the first run in staging', null],
    [statement([trait('version', { value: 'node 24' })], 5, 250), 'ran with node 24, as 250 tests did', null],
    [
      statement([trait('shard', { value: '3' })], 5, 250),
      'ran on shard 3, as 250 tests did',
      'status:failed,timedOut,interrupted shard:3',
    ],
    [
      statement([trait('worker', { value: '2 of shard 3' })], 5, 60),
      'ran on worker 2 of shard 3, as 60 tests did',
      null,
    ],
    [
      statement([trait('touched', { value: 'touched' })], 5, 40),
      'are in files that the commits since the base touched, in which 40 tests ran',
      null,
    ],
    [
      statement([trait('browser', { value: 'web kit' })], 5, 1),
      'ran in web kit, as 1 test did',
      'status:failed,timedOut,interrupted browser:="web kit"',
    ],
  ])('%#', (told, words, filter) => {
    expect(leadWords(told)).toBe(words);
    expect(filterOf(told)).toBe(filter);
  });

  it('says what else they share, but not of one, and causes elsewhere', () => {
    const traits = [trait('cause', { value: 'x' }), trait('shard', { value: '3' }), trait('since', { since: run })];
    expect(sharedWords(statement(traits))).toBe('on shard 3, failing since run #7');
    expect(sharedWords(statement(traits, 1))).toBe('');
    expect(sharedWords(statement([trait('flake'), trait('cause', { value: 'x' })]))).toBe('');
  });
});
