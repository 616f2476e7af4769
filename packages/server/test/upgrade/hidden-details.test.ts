import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type CaseDetails, resultId, splitResultId } from '@assay/contract';
import { expect, it } from 'vitest';
import { decodeDetails, encodeDetails } from '../../src/segments/details.ts';
import { decodeRequests, encodeRequests, requestAt } from '../../src/segments/requests.ts';
import { startTestServer } from '../server.ts';
import { unpackInstallation } from './installation.ts';

/** The last version that joined details across blocks. */
const VERSION = '97dfad2';

interface CutChunk {
  readonly runId: number;
  /** Where the block begins that the rest of the chunk belongs to. */
  readonly blockIndex: number;
  readonly lastIndex: number;
}

/** A chunk that holds details of two blocks. */
const findCutChunk = (database: DatabaseSync): CutChunk => {
  const blocks = database.prepare('SELECT run_id, first_index FROM segments WHERE first_index > 0').all();
  for (const { run_id, first_index } of blocks) {
    const [runId, blockIndex] = [Number(run_id), Number(first_index)];
    const chunk = database
      .prepare('SELECT id, data FROM details WHERE id < ? AND id >= ? ORDER BY id DESC LIMIT 1')
      .get(resultId(runId, blockIndex), resultId(runId, 0));
    const lastIndex = chunk ? decodeDetails(chunk['data'] as Uint8Array).at(-1)!.caseIndex : -1;
    if (lastIndex > blockIndex) return { runId, blockIndex, lastIndex };
  }
  throw new Error('No chunk of the installation goes beyond its block');
};

const TRACED: CaseDetails = {
  steps: [{ title: 'of the trace', duration: 1, category: null }],
  slowestStep: null,
  slowestStepDuration: null,
  networkRequests: [
    { method: 'GET', url: 'https://shop.test/of-the-trace', status: 200, duration: 1, resourceType: 'fetch' },
    { method: 'GET', url: 'https://shop.test/a.png', status: 200, duration: 1, resourceType: 'image' },
  ],
  webVitals: null,
  console: [{ type: 'error', text: 'of the trace' }],
  annotations: [],
  attempts: [],
  metadata: null,
};

/** Does to a case what that version did when it read a trace: it looked for details within the block only. */
const hideDetails = (database: DatabaseSync, { runId, blockIndex }: CutChunk): void => {
  const { data } = encodeDetails([{ caseIndex: blockIndex, json: JSON.stringify(TRACED) }])[0]!;
  database.prepare('INSERT INTO details (id, data) VALUES (?, ?)').run(resultId(runId, blockIndex), data);
  const where = 'WHERE run_id = ? AND first_index = ?';
  const stored = database.prepare(`SELECT requests FROM segments ${where}`).get(runId, blockIndex)!['requests'];
  const requests = decodeRequests(stored as Uint8Array);
  const rows = Array.from({ length: requests.rows }, (_, row) => requestAt(requests, row));
  const added = {
    caseIndex: blockIndex,
    method: 'GET',
    route: '/of-the-trace',
    status: 200,
    durationMs: 1,
    type: 'fetch',
  };
  database
    .prepare(`UPDATE segments SET requests = ? ${where}`)
    .run(encodeRequests([...rows, added]), runId, blockIndex);
};

it('details that a trace had hidden are shown again, with what the trace said', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-hidden-'));
  try {
    const answers = unpackInstallation(VERSION, dataDir);
    const database = new DatabaseSync(join(dataDir, 'assay.db'), { timeout: 10_000 });
    const cut = findCutChunk(database);
    const { runId, blockIndex, lastIndex } = cut;
    hideDetails(database, cut);
    const revisionOf = (file: DatabaseSync) =>
      file.prepare('SELECT revision FROM projects WHERE id = (SELECT project_id FROM runs WHERE id = ?)').get(runId);
    const revision = revisionOf(database);
    database.close();

    await using server = await startTestServer({ dataDir, databaseUrl: null });
    const { testCases } = await server.client.getRun({ params: { id: runId } });
    const before = (answers[`/api/test-runs/${runId}`] as { testCases: typeof testCases }).testCases;
    const indexOf = ({ id }: { id: number }) => splitResultId(id).index;
    expect(lastIndex).toBeGreaterThan(blockIndex);
    expect(testCases).toEqual(
      before.map((testCase) =>
        indexOf(testCase) === blockIndex ? { ...testCase, steps: TRACED.steps, console: TRACED.console } : testCase,
      ),
    );
    expect(await server.client.listRunRequests({ params: { id: runId } })).toEqual(
      answers[`/api/test-runs/${runId}/network-requests`],
    );
    await server.stop();
    const after = new DatabaseSync(join(dataDir, 'assay.db'), { readOnly: true, timeout: 10_000 });
    expect(revisionOf(after)).not.toEqual(revision);
    after.close();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
