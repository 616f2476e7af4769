import { LRUCache } from 'lru-cache';
import type { Queries } from '../db/database.ts';
import type { TestRow } from '../db/tables.ts';
import { nextTurn } from '../turns.ts';

const TESTS_PER_QUERY = 500;
/** Of what holds a test, without its texts. */
const BYTES_PER_TEST = 400;

export type CataloguedTest = Pick<TestRow, 'id' | 'file' | 'title' | 'browser'>;

export interface FindOptions {
  /** False for a list so long that it would take the place of all others. */
  readonly keep?: boolean;
}

/** Names of tests by id. A test never changes, so those used last are kept. */
export interface TestCatalogue {
  find(ids: Iterable<number>): Promise<Map<number, CataloguedTest>>;
  /** The test of each id, in the order of the ids. */
  findEach(ids: ArrayLike<number>, options?: FindOptions): Promise<(CataloguedTest | undefined)[]>;
}

export const createTestCatalogue = (queries: Queries, maxBytes: number): TestCatalogue => {
  const cache = new LRUCache<number, CataloguedTest>({
    maxSize: maxBytes,
    sizeCalculation: ({ file, title }) => 2 * (file.length + title.length) + BYTES_PER_TEST,
  });
  const read = async (ids: readonly number[], keep: boolean): Promise<Map<number, CataloguedTest>> => {
    const found = new Map<number, CataloguedTest>();
    for (let start = 0; start < ids.length; start += TESTS_PER_QUERY) {
      if (start > 0) await nextTurn();
      const rows = await queries
        .selectFrom('tests')
        .select(['id', 'file', 'title', 'browser'])
        .where('id', 'in', ids.slice(start, start + TESTS_PER_QUERY))
        .execute();
      for (const test of rows) {
        if (keep) cache.set(test.id, test);
        found.set(test.id, test);
      }
    }
    return found;
  };
  const findEach: TestCatalogue['findEach'] = async (ids, { keep = true } = {}) => {
    const tests: (CataloguedTest | undefined)[] = [];
    const missing = new Set<number>();
    for (let place = 0; place < ids.length; place++) {
      const id = ids[place]!;
      const test = cache.get(id);
      tests.push(test);
      if (!test) missing.add(id);
    }
    if (missing.size === 0) return tests;
    const found = await read([...missing], keep);
    return tests.map((test, place) => test ?? found.get(ids[place]!));
  };
  return {
    findEach,
    async find(ids) {
      const tests = await findEach([...new Set(ids)]);
      return new Map(tests.flatMap((test) => (test ? [[test.id, test] as const] : [])));
    },
  };
};
