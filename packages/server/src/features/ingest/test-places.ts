import type { Queries } from '../../db/database.ts';
import type { WriterMemory } from '../../writer/command.ts';
import type { SubmittedTests } from './read-cases.ts';
import { type TestIdentity, hashIdentity, identityOf } from './test-identity.ts';

const LOOKUPS_PER_QUERY = 500;
const INSERTS_PER_QUERY = 100;
const MAX_REMEMBERED = 300_000;

/** A case as it is written in submissions, with the test that it is a result of. */
export interface TestPlace {
  title: string;
  location: string;
  readonly browser: string | null;
  readonly testId: number;
  readonly line: number | null;
  readonly column: number | null;
  /** What came after it last time: runs list their tests in the same order most of the time. */
  next: TestPlace | null;
}

export interface ProjectTests {
  readonly id: number;
  readonly tests_epoch: number;
}

export interface FoundTests {
  readonly places: readonly TestPlace[];
  readonly added: number;
}

/**
 * Finds or makes the tests of a submission. What it learns is remembered only after `commit`: an id that a transaction
 * gave and then took back must not be found again.
 */
export interface TestPlaces extends WriterMemory {
  find(transaction: Queries, project: ProjectTests, tests: SubmittedTests): Promise<FoundTests>;
}

interface Memory {
  readonly epoch: number;
  readonly byLocation: Map<string, Map<string, TestPlace[]>>;
  readonly start: { next: TestPlace | null };
  size: number;
}

export const createTestPlaces = (): TestPlaces => {
  const projects = new Map<number, Memory>();
  let learnt: { memory: Memory; place: TestPlace }[] = [];
  let remembered = 0;

  const memoryOf = ({ id, tests_epoch }: ProjectTests): Memory => {
    const known = projects.get(id);
    if (known?.epoch === tests_epoch) return known;
    remembered -= known?.size ?? 0;
    const fresh: Memory = { epoch: tests_epoch, byLocation: new Map(), start: { next: null }, size: 0 };
    projects.set(id, fresh);
    return fresh;
  };

  return {
    async find(transaction, project, tests) {
      const memory = memoryOf(project);
      const { titles, locations, browsers } = tests;
      const places: (TestPlace | null)[] = [];
      const unknown: number[] = [];
      let previous: { next: TestPlace | null } = memory.start;
      for (let row = 0; row < titles.length; row++) {
        const title = titles[row]!;
        const location = locations[row]!;
        const browser = browsers[row]!;
        const next = previous.next;
        const place = next && isAt(next, title, location, browser) ? next : recall(memory, title, location, browser);
        places.push(place);
        if (place === null) unknown.push(row);
        else {
          // The texts of cases that are known by their bytes are the same objects each time, which are compared at once.
          place.title = title;
          place.location = location;
          previous.next = place;
          previous = place;
        }
      }
      if (unknown.length === 0) return { places: places as TestPlace[], added: 0 };
      const added = await findOrAddTests(transaction, project.id, tests, unknown, (row, testId, { line, column }) => {
        const place = {
          title: titles[row]!,
          location: locations[row]!,
          browser: browsers[row]!,
          testId,
          line,
          column,
          next: null,
        };
        places[row] = place;
        learnt.push({ memory, place });
      });
      return { places: places as TestPlace[], added };
    },
    commit() {
      for (const { memory, place } of learnt) {
        if (!remember(memory, place)) continue;
        memory.size++;
        remembered++;
      }
      learnt = [];
      for (const [projectId, memory] of projects) {
        if (remembered <= MAX_REMEMBERED) break;
        projects.delete(projectId);
        remembered -= memory.size;
      }
    },
    rollBack() {
      learnt = [];
    },
  };
};

const isAt = (place: TestPlace, title: string, location: string, browser: string | null): boolean =>
  place.title === title && place.location === location && place.browser === browser;

const recall = ({ byLocation }: Memory, title: string, location: string, browser: string | null): TestPlace | null =>
  byLocation
    .get(location)
    ?.get(title)
    ?.find((place) => place.browser === browser) ?? null;

const remember = ({ byLocation }: Memory, place: TestPlace): boolean => {
  let byTitle = byLocation.get(place.location);
  if (!byTitle) byLocation.set(place.location, (byTitle = new Map<string, TestPlace[]>()));
  const same = byTitle.get(place.title);
  if (!same) byTitle.set(place.title, [place]);
  else if (same.some((other) => other.browser === place.browser)) return false;
  else same.push(place);
  return true;
};

/** Tells the test of each row; returns how many had to be made. */
const findOrAddTests = async (
  transaction: Queries,
  projectId: number,
  { titles, locations, browsers }: SubmittedTests,
  rows: readonly number[],
  tell: (row: number, testId: number, identity: TestIdentity) => void,
): Promise<number> => {
  const missing = new Map<string, Missing>();
  for (const row of rows) {
    const identity = identityOf(titles[row]!, locations[row]!, browsers[row]!);
    const hash = hashIdentity(identity);
    const key = Buffer.from(hash).toString('hex');
    const same = missing.get(key);
    if (same) same.results.push({ row, identity });
    else missing.set(key, { hash, results: [{ row, identity }] });
  }
  const remember = (found: readonly { id: number; identity: Uint8Array }[]): void => {
    for (const { id, identity: hash } of found) {
      const key = Buffer.from(hash).toString('hex');
      for (const { row, identity } of missing.get(key)!.results) tell(row, id, identity);
      missing.delete(key);
    }
  };
  for (const some of chunksOf([...missing.values()], LOOKUPS_PER_QUERY))
    remember(await findTests(transaction, projectId, some));
  const added = missing.size;
  for (const some of chunksOf([...missing.values()], INSERTS_PER_QUERY))
    remember(await addTests(transaction, projectId, some));
  return added;
};

/** Results of one test that no memory had; their lines may differ. */
interface Missing {
  readonly hash: Uint8Array;
  readonly results: { readonly row: number; readonly identity: TestIdentity }[];
}

const findTests = (transaction: Queries, projectId: number, missing: readonly Missing[]) => {
  const hashes = missing.map(({ hash }) => hash);
  return transaction
    .selectFrom('tests')
    .select(['id', 'identity'])
    .where('project_id', '=', projectId)
    .where('identity', 'in', hashes)
    .execute();
};

const addTests = (transaction: Queries, projectId: number, missing: readonly Missing[]) => {
  const rows = missing.map(({ hash, results }) => {
    const { file, title, browser } = results[0]!.identity;
    return { project_id: projectId, identity: hash, file, title, browser };
  });
  return transaction.insertInto('tests').values(rows).returning(['id', 'identity']).execute();
};

const chunksOf = <T>(items: readonly T[], size: number): T[][] => {
  const chunks: T[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
};
