import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultId } from '@assay/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { openSqlite } from '../../db/sqlite.ts';
import { adoptDetails, deleteDetails } from '../../segments/block-details.ts';
import { CHUNK_BYTES, decodeDetails, encodeDetails } from '../../segments/details.ts';
import type { StoredRanges } from '../../segments/row-indices.ts';
import { readDetailTexts } from '../cases/read-details.ts';
import { groupBlocks } from './rewrite-part.ts';

const PROJECT = 2;
const RUN = 3;
const NO_DAMAGE = {
  report: (_: number, error: Error): void => {
    throw error;
  },
};

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
      await transaction
        .insertInto('details')
        .values({ project_id: PROJECT, id, block_index: firstCaseIndex, data })
        .execute();
    }
  });
const readAll = async () => {
  const chunks = await database.queries.selectFrom('details').selectAll().orderBy('id').execute();
  return chunks.map(({ id, block_index, data }) => ({ id, block_index, texts: decodeDetails(data) }));
};

it('blocks that become one have their details in few chunks, none of which goes beyond neighbouring results', async () => {
  const cases = 3_000;
  const large = 1_000;
  await store(Array.from({ length: cases }, (_, index) => textOf(index, index === large ? 20 * CHUNK_BYTES : 4_000)));
  const before = (await readAll()).flatMap(({ texts }) => texts);
  const textsOf = async (from: number, to: number): Promise<string[]> => {
    const texts = new Map<number, Uint8Array>();
    await readDetailTexts({ queries: database.queries, damage: NO_DAMAGE }, RUN, { from, to }, texts);
    return Array.from({ length: to - from }, (_, nth) => Buffer.from(texts.get(from + nth)!).toString());
  };
  const someBefore = await textsOf(1_450, 1_550);
  const adopt = (ranges: StoredRanges) =>
    database.transaction((transaction) =>
      adoptDetails(transaction, { projectId: PROJECT, runId: RUN, firstIndex: ranges[0]![0], ranges }),
    );
  // Those of 1,500 are of another part, and 2,000 begins the next block.
  await adopt([
    [0, 1_500],
    [1_501, 499],
  ]);
  await adopt([[2_000, 1_000]]);
  const after = await readAll();
  expect(after.flatMap(({ texts }) => texts)).toEqual(before);
  expect(after.length).toBeLessThan(cases / 15);
  expect(await textsOf(1_450, 1_550)).toEqual(someBefore);
  const blockOf = (index: number): number => (index === 1_500 ? 1_500 : index < 2_000 ? 0 : 2_000);
  for (const { id, block_index, texts } of after) {
    expect(id).toBe(resultId(RUN, texts[0]!.caseIndex));
    expect(new Set(texts.map(({ caseIndex }) => blockOf(caseIndex)))).toEqual(new Set([block_index]));
    const bytes = texts.reduce((sum, { json }) => sum + json.length, 0);
    if (texts[0]!.caseIndex !== large) expect(bytes).toBeLessThan(2 * CHUNK_BYTES);
  }
  expect(after.find(({ texts }) => texts[0]!.caseIndex === large)!.texts).toHaveLength(1);

  await database.transaction((transaction) =>
    deleteDetails(transaction, { runId: RUN, firstIndex: 0, ranges: [[0, 2_000]] }),
  );
  const left = (await readAll()).flatMap(({ texts }) => texts.map(({ caseIndex }) => caseIndex));
  expect(left).toEqual([1_500, ...Array.from({ length: 1_000 }, (_, nth) => 2_000 + nth)]);
});

it('blocks become one as long as they hold little together', () => {
  const block = (first_index: number, resultBytes: number, requestBytes: number, detailBytes = 0) => ({
    first_index,
    resultBytes,
    requestBytes,
    detailBytes,
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
  expect(groupBlocks([block(0, 1, 1, 1), block(5, 1, 1, MB), block(9, 1, 1, 0)])).toEqual([[0], [5, 9]]);
});
