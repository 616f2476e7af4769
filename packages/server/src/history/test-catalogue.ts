import { createByteCache } from '../byte-cache.ts';
import { toByteText } from '../byte-text.ts';
import type { Queries } from '../db/database.ts';
import type { TestRow } from '../db/tables.ts';

const TESTS_PER_QUERY = 500;

export interface CataloguedTest extends Pick<TestRow, 'id' | 'file' | 'title' | 'browser'> {
  readonly json: TestJson;
}

/** What a test is called, ready to be put into JSON: byte text. */
export interface TestJson {
  readonly titleJson: string;
  /** Without quotes: a place in the file may follow. */
  readonly fileJson: string;
  readonly browserJson: string;
}

/** Names of tests by id. A test never changes, so those used last are kept. */
export interface TestCatalogue {
  find(ids: Iterable<number>): Promise<Map<number, CataloguedTest>>;
}

export const createTestCatalogue = (queries: Queries, maxBytes: number): TestCatalogue => {
  const cache = createByteCache<number, CataloguedTest>(maxBytes);
  return {
    async find(ids) {
      const found = new Map<number, CataloguedTest>();
      const missing: number[] = [];
      for (const id of new Set(ids)) {
        const test = cache.get(id);
        if (test) found.set(id, test);
        else missing.push(id);
      }
      for (let start = 0; start < missing.length; start += TESTS_PER_QUERY) {
        const tests = await queries
          .selectFrom('tests')
          .select(['id', 'file', 'title', 'browser'])
          .where('id', 'in', missing.slice(start, start + TESTS_PER_QUERY))
          .execute();
        for (const row of tests) {
          const test = { ...row, json: jsonOf(row) };
          cache.set(test.id, test, 4 * (test.file.length + test.title.length));
          found.set(test.id, test);
        }
      }
      return found;
    },
  };
};

const jsonOf = ({ file, title, browser }: Pick<TestRow, 'file' | 'title' | 'browser'>): TestJson => ({
  titleJson: toByteText(JSON.stringify(title)),
  fileJson: toByteText(JSON.stringify(file)).slice(1, -1),
  browserJson: toByteText(JSON.stringify(browser)),
});
