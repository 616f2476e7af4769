import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultId } from '@assay/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { openSqlite } from '../../db/sqlite.ts';
import { CHUNK_BYTES, decodeDetails, encodeDetails } from '../../segments/details.ts';
import { readDetailTexts } from '../cases/read-details.ts';
import { joinDetails } from './join-details.ts';
import { groupBlocks } from './rewrite-part.ts';

const RUN = 3;

let folder: string;
let database: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-details-'));
  database = openSqlite({ file: join(folder, 'assay.db'), access: 'write' });
  await migrate(database);
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const textOf = (caseIndex: number, bytes: number) => ({
  caseIndex,
  json: JSON.stringify(`${caseIndex}`.padEnd(bytes)),
});
/** Each in a chunk of its own. */
const store = (texts: readonly ReturnType<typeof textOf>[]): Promise<void> =>
  database.transaction(async (transaction) => {
    for (const { firstCaseIndex, data } of texts.flatMap((text) => encodeDetails([text]))) {
      const id = resultId(RUN, firstCaseIndex);
      await transaction.insertInto('details').values({ id, data }).execute();
    }
  });
const readAll = async () => {
  const chunks = await database.queries.selectFrom('details').selectAll().orderBy('id').execute();
  return chunks.map(({ id, data }) => ({ id, texts: decodeDetails(data) }));
};

it('small chunks of neighbours become full ones, some at a time, and every text stays what it was', async () => {
  const cases = 3_000;
  const large = 1_000;
  await store(Array.from({ length: cases }, (_, index) => textOf(index, index === large ? 20 * CHUNK_BYTES : 4_000)));
  const before = (await readAll()).flatMap(({ texts }) => texts);
  const textsOf = async (from: number, to: number): Promise<string[]> => {
    const texts = new Map<number, Uint8Array>();
    await readDetailTexts(database.queries, RUN, { from, to }, texts);
    return Array.from({ length: to - from }, (_, nth) => Buffer.from(texts.get(from + nth)!).toString());
  };
  const someBefore = await textsOf(1_450, 1_550);
  let steps = 0;
  // Those of 1,500 are of another part.
  for await (const _ of joinDetails(database, RUN, [
    [0, 1_500],
    [1_501, cases - 1_501],
  ]))
    steps++;
  expect(steps).toBeGreaterThan(3);
  const after = await readAll();
  expect(after.flatMap(({ texts }) => texts)).toEqual(before);
  expect(after.length).toBeLessThan(cases / 15);
  expect(await textsOf(1_450, 1_550)).toEqual(someBefore);
  for (const { id, texts } of after) {
    expect(id).toBe(resultId(RUN, texts[0]!.caseIndex));
    const bytes = texts.reduce((sum, { json }) => sum + json.length, 0);
    if (texts[0]!.caseIndex !== large) expect(bytes).toBeLessThan(2 * CHUNK_BYTES);
  }
  expect(after.find(({ texts }) => texts[0]!.caseIndex === large)!.texts).toHaveLength(1);
  expect(after.find(({ texts }) => texts[0]!.caseIndex === 1_500)!.texts).toHaveLength(1);

  for await (const _ of joinDetails(database, RUN, [[0, cases]]));
  const again = await readAll();
  expect(again.flatMap(({ texts }) => texts)).toEqual(before);
});

it('blocks become one as long as they hold little together', () => {
  const block = (first_index: number, resultBytes: number, requestBytes: number) => ({
    first_index,
    resultBytes,
    requestBytes,
  });
  const MB = 1024 * 1024;
  expect(groupBlocks([])).toEqual([]);
  expect(groupBlocks([block(0, 1, 0), block(5, 1, 1), block(9, 1, 0)])).toEqual([[0, 5, 9]]);
  expect(groupBlocks([block(0, 5 * MB, 0), block(5, 3 * MB, 0), block(9, 1, 0)])).toEqual([[0, 5], [9]]);
  expect(groupBlocks([block(0, 1, 9 * MB), block(5, 1, 1), block(9, 1, MB), block(10, 1, 0)])).toEqual([
    [0],
    [5],
    [9, 10],
  ]);
});
