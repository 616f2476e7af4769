import type { Queries } from '../../db/database.ts';
import { type FoundTest, testsByIdentity } from '../../db/tests-by-identity.ts';
import { shareOf } from '../../memory-share.ts';
import { putPlace } from '../../segments/results.ts';
import type { RowSpan } from '../../turns.ts';
import type { WriterMemory } from '../../writer/command.ts';
import type { ReadCases } from './read-cases.ts';
import { type TestIdentity, hashIdentity, identityOf } from './test-identity.ts';

const LOOKUPS_PER_QUERY = 500;
const INSERTS_PER_QUERY = 100;
/** About 200 bytes each. */
const MAX_REMEMBERED = shareOf(200_000);

export interface ProjectTests {
  readonly id: number;
  readonly tests_epoch: number;
}

/** Finds or makes the tests of a submission, and remembers their ids by how cases name them. */
export interface TestPlaces extends WriterMemory {
  /** Puts the tests and their lines into the results, or into those of some rows. */
  place(
    transaction: Queries,
    project: ProjectTests,
    cases: Pick<ReadCases, 'tests' | 'results'>,
    rows?: RowSpan,
  ): Promise<AddedTests>;
}

/** How many tests had to be made, and which ids they have among them. */
export interface AddedTests {
  readonly count: number;
  readonly firstId: number;
  readonly lastId: number;
}

const NONE_ADDED: AddedTests = { count: 0, firstId: 0, lastId: 0 };

interface Remembered {
  readonly epoch: number;
  readonly ids: Map<string, number>;
}

export const createTestPlaces = (): TestPlaces => {
  const projects = new Map<number, Remembered>();
  let learnt: { ids: Map<string, number>; key: string; testId: number }[] = [];
  let count = 0;

  const idsOf = ({ id, tests_epoch }: ProjectTests): Map<string, number> => {
    const known = projects.get(id);
    // The project that is used last is forgotten last.
    projects.delete(id);
    if (known?.epoch === tests_epoch) {
      projects.set(id, known);
      return known.ids;
    }
    count -= known?.ids.size ?? 0;
    const ids = new Map<string, number>();
    projects.set(id, { epoch: tests_epoch, ids });
    return ids;
  };

  return {
    async place(transaction, project, { tests, results }, { from, to } = { from: 0, to: results.rows }) {
      const { titles, locations, browsers, staged } = tests;
      const ids = idsOf(project);
      const unknown: UnknownTest[] = [];
      const isStaged = staged?.project.id === project.id && staged.project.tests_epoch === project.tests_epoch;
      const { testId: placed } = results.columns;
      for (let row = from; row < to; row++) {
        if (isStaged && placed[row] !== 0) continue;
        const identity = identityOf(titles[row]!, locations[row]!, browsers[row]!);
        const key = keyOf(identity);
        const testId = ids.get(key);
        if (testId === undefined) unknown.push({ row, key, identity });
        else putPlace(results, row, { testId, line: identity.line, column: identity.column });
      }
      if (unknown.length === 0) return NONE_ADDED;
      return findOrAddTests(transaction, project.id, unknown, ({ row, key, identity }, testId) => {
        putPlace(results, row, { testId, line: identity.line, column: identity.column });
        learnt.push({ ids, key, testId });
      });
    },
    commit() {
      for (const { ids, key, testId } of learnt) {
        if (!ids.has(key)) count++;
        ids.set(key, testId);
      }
      learnt = [];
      for (const [projectId, { ids }] of projects) {
        if (count <= MAX_REMEMBERED) break;
        projects.delete(projectId);
        count -= ids.size;
      }
    },
    rollBack() {
      learnt = [];
    },
  };
};

/** Lengths keep two identities apart whose texts run together. */
const keyOf = ({ file, title, browser }: TestIdentity): string =>
  `${file.length} ${browser === null ? '' : browser.length} ${file}${browser ?? ''}${title}`;

interface UnknownTest {
  readonly row: number;
  readonly key: string;
  readonly identity: TestIdentity;
}

/** Tells the id of each. */
const findOrAddTests = async (
  transaction: Queries,
  projectId: number,
  unknown: readonly UnknownTest[],
  tell: (test: UnknownTest, testId: number) => void,
): Promise<AddedTests> => {
  /** By the hash of a test, the cases that are of it. */
  const missing = new Map<string, UnknownTest[]>();
  for (const test of unknown) {
    const hash = Buffer.from(hashIdentity(test.identity)).toString('latin1');
    const same = missing.get(hash);
    if (same) same.push(test);
    else missing.set(hash, [test]);
  }
  const tellAll = (found: readonly FoundTest[]): void => {
    for (const { id, identity } of found) {
      const hash = Buffer.from(identity).toString('latin1');
      for (const test of missing.get(hash)!) tell(test, id);
      missing.delete(hash);
    }
  };
  for (const some of chunksOf([...missing.keys()], LOOKUPS_PER_QUERY)) {
    const identities = some.map((hash) => Buffer.from(hash, 'latin1'));
    const { rows: found } = await testsByIdentity(transaction, projectId, identities).execute(transaction);
    tellAll(found);
  }
  const count = missing.size;
  let firstId = Infinity;
  let lastId = 0;
  for (const some of chunksOf([...missing], INSERTS_PER_QUERY)) {
    const rows = some.map(([hash, tests]) => {
      const { file, title, browser } = tests[0]!.identity;
      return { project_id: projectId, identity: Buffer.from(hash, 'latin1'), file, title, browser };
    });
    const added = await transaction.insertInto('tests').values(rows).returning(['id', 'identity']).execute();
    for (const { id } of added) {
      firstId = Math.min(firstId, id);
      lastId = Math.max(lastId, id);
    }
    tellAll(added);
  }
  return count === 0 ? NONE_ADDED : { count, firstId, lastId };
};

const chunksOf = <T>(items: readonly T[], size: number): T[][] => {
  const chunks: T[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
};
