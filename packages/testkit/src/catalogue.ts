import { shuffled } from './random.ts';
import type { Random } from './random.ts';
import type { Temperament } from './temperament.ts';
import { traitsOf } from './traits.ts';
import type { Traits } from './traits.ts';
import { fileSubjects, titleOf } from './vocabulary.ts';
import type { Domain, FileSubject } from './vocabulary.ts';

export interface TestFile extends FileSubject {
  readonly index: number;
  readonly rotation: number;
  readonly random: Random;
}

/** One test that exists at some run. */
export interface Test {
  readonly slot: number;
  readonly file: TestFile;
  readonly browser: string | null;
  readonly title: string;
  readonly line: number;
  readonly column: number;
  readonly traits: Traits;
  readonly random: Random;
}

/** A place in the suite: held by one test for good, or by one after the other. */
type Slot = { readonly test: Test } | { readonly lives: Lives; readonly build: (generation: number) => Test };

interface Lives {
  readonly period: number;
  readonly phase: number;
  readonly life: number;
}

export interface Suite {
  readonly domain: Domain;
  readonly tests: number;
  readonly browsers: readonly string[];
  readonly temperament: Temperament;
}

export interface Catalogue {
  readonly files: readonly TestFile[];
  readonly slots: readonly Slot[];
  /** The tests that are in every run. */
  readonly lasting: readonly Test[];
}

const TESTS_PER_FILE = 7;
const CHANGING_SHARE = 0.05;

export const buildCatalogue = (root: Random, suite: Suite): Catalogue => {
  const random = root.fork('catalogue');
  const browsers: readonly (string | null)[] = suite.browsers.length === 0 ? [null] : suite.browsers;
  const titles = Math.ceil(suite.tests / browsers.length);
  const changing = titles < 4 ? 0 : Math.max(2, Math.round(titles * CHANGING_SHARE));
  const files = chooseFiles(random, suite.domain, Math.ceil(titles / TESTS_PER_FILE));
  const lastingPlaces = spread(random, files, titles);
  const changingPlaces = spread(random, files, changing);

  const slots: Slot[] = [];
  for (const browser of browsers) {
    for (const file of files) {
      const held = lastingPlaces[file.index]!;
      const shared = changingPlaces[file.index]!;
      held.forEach((index, number) => {
        if (index * browsers.length + browsers.indexOf(browser) >= suite.tests) return;
        slots.push({ test: buildTest(root, suite, file, browser, slots.length, index, number) });
      });
      shared.forEach((index, order) => {
        const slot = slots.length;
        slots.push({
          lives: livesOf(random.fork(index), index % 2 === 0),
          build: (generation) => {
            const number = held.length + order + generation * shared.length;
            return buildTest(root, suite, file, browser, slot, titles + index + generation * changing, number);
          },
        });
      });
    }
  }
  return { files, slots, lasting: slots.flatMap((slot) => ('test' in slot ? [slot.test] : [])) };
};

export const testAt = (slot: Slot, n: number): Test | null => {
  if ('test' in slot) return slot.test;
  const { period, phase, life } = slot.lives;
  return (n + phase) % period < life ? slot.build(Math.floor((n + phase) / period)) : null;
};

/** How far the lines of a file have moved by run n. */
export const lineShift = (file: TestFile, n: number): number => {
  const period = 25 + (file.rotation % 46);
  return file.random.fork(Math.floor((n + file.rotation) / period)).integer(0, 14);
};

const chooseFiles = (random: Random, domain: Domain, count: number): TestFile[] =>
  fileSubjects(domain)
    .flatMap((subjects) => shuffled(random, subjects))
    .slice(0, count)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((subject, index) => {
      const own = random.fork(subject.path);
      return { ...subject, index, rotation: own.integer(0, 10_000), random: own };
    });

/** Deals numbers out to files, unevenly: which numbers each file got. */
const spread = (random: Random, files: readonly TestFile[], count: number): number[][] => {
  const places = files.map((): number[] => []);
  const last = files.length - 1;
  const order = shuffled(random, [...files.keys()]);
  for (let index = 0; index < count; index++) {
    const place = index <= last ? index : Math.min(random.integer(0, last), random.integer(0, last));
    places[order[place]!]!.push(index);
  }
  return places;
};

const livesOf = (random: Random, presentAtFirst: boolean): Lives => {
  const life = random.integer(20, 120);
  const gap = random.integer(4, 30);
  return {
    life,
    period: life + gap,
    phase: presentAtFirst ? random.integer(0, life - 4) : random.integer(life, life + gap - 1),
  };
};

const buildTest = (
  root: Random,
  { domain, temperament }: Suite,
  file: TestFile,
  browser: string | null,
  slot: number,
  index: number,
  number: number,
): Test => {
  const shared = root.fork('test').fork(index);
  const own = browser === null ? shared.fork('own') : shared.fork(browser);
  return {
    slot,
    file,
    browser,
    title: titleOf(domain, file, file.rotation, number),
    line: 9 + number * 14 + shared.integer(0, 6),
    column: file.describe.split(' › ').length === 2 ? 3 : 5,
    traits: traitsOf(shared, own, domain.framework, temperament),
    random: own,
  };
};
