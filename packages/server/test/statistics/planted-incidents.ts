import { type Random, createRandom, shuffled } from '@assay/testkit';
import {
  type Failure,
  type News,
  type Place,
  type Surroundings,
  TOUCHED,
  type Trait,
} from '../../src/statistics/explain-failures.ts';

const TESTS = 1_000;
const SHARDS = 4;
const WORKERS = 4;
const BROWSERS = ['chromium', 'firefox', 'webkit'];
const FILES = 60;
const RUN_MS = 600_000;

type Ran = Omit<Failure, 'since' | 'isKnownFlake' | 'flakesAlike'> & {
  since: number | null;
  isKnownFlake: boolean;
  flakesAlike: number;
  cause: string | null;
};

/** What goes wrong, and how to tell that it was found. */
interface Incident {
  readonly name: string;
  strike(
    random: Random,
    tests: readonly Ran[],
  ): { readonly hit: readonly Ran[]; readonly trait: (trait: Trait) => boolean; readonly news?: News };
}

const some = (random: Random, tests: readonly Ran[], share: number): Ran[] => tests.filter(() => random.chance(share));

const atPlace =
  (place: Place, share: number): Incident['strike'] =>
  (random, tests) => {
    const value = random.pick(tests)[place]!;
    const hit = some(
      random,
      tests.filter((test) => test[place] === value),
      share,
    );
    for (const [at, test] of hit.entries()) test.cause = `Something else is wrong: ${at}`;
    return { hit, trait: (trait) => trait.kind === 'place' && trait.place === place && trait.value === value };
  };

/** Half of the shards run in or with something else than the others. */
function onTwoShards(place: 'environment' | 'version', value: string): Incident['strike'] {
  return (random, tests) => {
    const shards = new Set(shuffled(random, ['1', '2', '3', '4']).slice(0, SHARDS / 2));
    const there = tests.filter(({ shard }) => shards.has(shard!));
    for (const test of tests) Object.assign(test, { [place]: there.includes(test) ? value : 'usual' });
    const hit = some(random, there, 0.15);
    for (const [at, test] of hit.entries()) test.cause = `Wrong there: ${at}`;
    return { hit, trait: (trait) => trait.kind === 'place' && trait.place === place && trait.value === value };
  };
}

export const INCIDENTS: readonly Incident[] = [
  {
    name: 'one cause',
    strike(random, tests) {
      const hit = shuffled(random, tests).slice(0, random.integer(3, 40));
      const cause = `connect ECONNREFUSED ${random.integer(1, 9)}`;
      for (const test of hit) test.cause = cause;
      return { hit, trait: (trait) => trait.kind === 'cause' && trait.cause === cause };
    },
  },
  {
    name: 'broken before',
    strike(random, tests) {
      const hit = shuffled(random, tests).slice(0, random.integer(1, 12));
      const since = random.integer(0, 90);
      for (const [at, test] of hit.entries()) Object.assign(test, { since, cause: `Expected ${at} to be right` });
      return { hit, trait: (trait) => trait.kind === 'since' && trait.run === since };
    },
  },
  {
    name: 'known flakes',
    strike(random, tests) {
      const hit = shuffled(random, tests).slice(0, random.integer(1, 4));
      for (const [at, test] of hit.entries())
        Object.assign(test, { isKnownFlake: true, flakesAlike: random.integer(0, 3), cause: `Timeout ${at}` });
      return { hit, trait: (trait) => trait.kind === 'flake' };
    },
  },
  { name: 'a shard', strike: atPlace('shard', 0.5) },
  { name: 'a worker', strike: atPlace('worker', 0.6) },
  { name: 'a browser', strike: atPlace('browser', 0.3) },
  { name: 'a file', strike: atPlace('file', 0.9) },
  { name: 'an environment of two shards', strike: onTwoShards('environment', 'staging') },
  { name: 'a version on two shards', strike: onTwoShards('version', 'node 24.1.0') },
  {
    name: 'a new version',
    strike(random, tests) {
      const hit = shuffled(random, tests).slice(0, random.integer(8, 40));
      for (const [at, test] of hit.entries()) test.cause = `No longer so: ${at}`;
      const news: News = { of: 'version', value: 'playwright 1.50.0', before: '1.49.1' };
      return { hit, news, trait: (trait) => trait.kind === 'news' && trait.news === news };
    },
  },
  {
    name: 'touched files',
    strike(random, tests) {
      const touched = new Set(Array.from({ length: random.integer(2, 6) }, () => random.pick(tests).file));
      const there = tests.filter(({ file }) => touched.has(file));
      for (const test of there) Object.assign(test, { touched: TOUCHED });
      const hit = some(random, there, 0.4);
      for (const [at, test] of hit.entries()) test.cause = `Broken in its own way: ${at}`;
      return { hit, trait: (trait) => trait.kind === 'place' && trait.place === 'touched' };
    },
  },
  {
    name: 'a time',
    strike(random, tests) {
      const from = random.integer(0, RUN_MS * 0.6);
      const to = from + RUN_MS * 0.1;
      const hit = some(
        random,
        tests.filter(({ startMs }) => startMs! >= from && startMs! < to),
        0.6,
      );
      for (const [at, test] of hit.entries()) test.cause = `Nothing at ${at}`;
      return {
        hit,
        trait: (trait) =>
          trait.kind === 'time' &&
          Math.abs(trait.span.fromMs - from) < 30_000 &&
          Math.abs((trait.span.toMs ?? RUN_MS) - to) < 30_000,
      };
    },
  },
];

export interface Planted {
  readonly names: readonly string[];
  readonly failures: readonly Failure[];
  readonly surroundings: Surroundings;
  /** One for each incident. */
  readonly isTold: readonly ((trait: Trait) => boolean)[];
}

/** A run in which incidents of these kinds happen, and one or two tests fail by themselves. */
export const plant = (seed: string, incidents: readonly Incident[]): Planted => {
  const random = createRandom(seed);
  const tests: Ran[] = Array.from({ length: TESTS }, (_, at) => {
    const shard = String((at % SHARDS) + 1);
    return {
      shard,
      worker: `${random.integer(1, WORKERS)} of shard ${shard}`,
      browser: BROWSERS[at % BROWSERS.length]!,
      file: `tests/${at % FILES}.spec.ts`,
      environment: null,
      version: null,
      touched: null,
      startMs: random.integer(0, RUN_MS),
      cause: null,
      since: null,
      isKnownFlake: false,
      flakesAlike: 0,
    };
  });
  const failed = new Set<Ran>();
  const news: News[] = [];
  const isTold = incidents.map((incident) => {
    const {
      hit,
      trait,
      news: brought,
    } = incident.strike(
      random.fork(incident.name),
      tests.filter((test) => !failed.has(test)),
    );
    for (const test of hit) failed.add(test);
    if (brought) news.push(brought);
    return trait;
  });
  for (const test of shuffled(random, tests).slice(0, 2)) {
    if (failed.has(test)) continue;
    test.cause = `A reason of its own ${test.startMs}`;
    failed.add(test);
  }
  const counts = (place: Place): Map<string, number> =>
    new Map(
      [...Map.groupBy(tests, (test) => test[place])].flatMap(([value, those]) =>
        value === null ? [] : [[value, those.length]],
      ),
    );
  return {
    names: incidents.map(({ name }) => name),
    failures: tests.filter((test) => failed.has(test)),
    surroundings: {
      ran: TESTS,
      at: {
        shard: counts('shard'),
        worker: counts('worker'),
        browser: counts('browser'),
        environment: counts('environment'),
        version: counts('version'),
        file: counts('file'),
        touched: counts('touched'),
      },
      startsMs: Float64Array.from(tests, ({ startMs }) => startMs!).sort(),
      news,
    },
    isTold,
  };
};
