import type { TestCase } from '@assay/contract';
import type { Queries } from '../db/database.ts';
import { presentCase } from '../features/cases/present-case.ts';
import { readRequests } from '../features/network/read-requests.ts';
import { readCases } from '../features/runs/run-json.ts';
import type { TestCatalogue } from '../history/test-catalogue.ts';
import { BlockError } from '../segments/block.ts';
import { type Requests, requestAt } from '../segments/requests.ts';
import type { Results } from '../segments/results.ts';
import { rowAt } from '../segments/row-indices.ts';
import type { SegmentStore } from '../segments/store.ts';
import { EXPORTED_COLUMNS, type ExportedRequest, type ExportedResult, type ExportedRun } from './columns.ts';
import { type FoundRun, type NamedProject, findStoredRun } from './stored-runs.ts';
import { type TableFile, createTableFile } from './write-table.ts';

/** A run that changes faster than it is read is written as it was found; the next export finds that it changed. */
const MOST_LOOKS = 5;

export interface ExportReader {
  readonly queries: Queries;
  readonly segments: SegmentStore;
  readonly tests: TestCatalogue;
}

export interface TableFiles {
  readonly runs: TableFile<ExportedRun>;
  readonly results: TableFile<ExportedResult>;
  readonly requests: TableFile<ExportedRequest>;
}

export const createTableFiles = (paths: Readonly<Record<keyof TableFiles, string>>): TableFiles => ({
  runs: createTableFile(paths.runs, EXPORTED_COLUMNS.runs),
  results: createTableFile(paths.results, EXPORTED_COLUMNS.results),
  requests: createTableFile(paths.requests, EXPORTED_COLUMNS.requests),
});

/** Adds a run to the tables; null when it is gone. */
export const exportRun = async (
  reader: ExportReader,
  project: NamedProject,
  id: number,
  tables: TableFiles,
): Promise<{ readonly state: string; readonly results: number; readonly isReadable: boolean } | null> => {
  const found = await readRun(reader, project, id);
  if (found === null) return null;
  const { stored, metadata, results, requests } = found;
  const { run, state } = stored;
  tables.runs.add({ run, project, metadata });
  if (results === null || requests === null) return { state, results: 0, isReadable: false };
  const range = { from: 0, to: results.rows, withDetails: false };
  const damage = { report: () => undefined };
  for await (const cases of readCases({ ...reader, damage }, id, results, range)) {
    for (const { result } of cases) tables.results.add({ run, result });
  }
  for (const block of requests) await addRequests(reader, { run, results }, block, tables);
  return { state, results: results.rows, isReadable: true };
};

/** Its row and its blocks, as they were at one moment. */
const readRun = async ({ queries, segments }: ExportReader, project: NamedProject, id: number) => {
  for (let looks = 1; ; looks++) {
    const stored = await findStoredRun(queries, project, id);
    if (stored === null) return null;
    const text = await queries.selectFrom('runs').select('metadata').where('id', '=', id).executeTakeFirst();
    const results = (await segments.results([stored.row])).get(id) ?? null;
    const requests = await orNull(() => readRequests(queries, id));
    const after = await findStoredRun(queries, project, id);
    if (after?.state === stored.state || looks === MOST_LOOKS) {
      return { stored, metadata: text?.metadata ?? null, results, requests };
    }
  }
};

const orNull = async <T>(read: () => Promise<T>): Promise<T | null> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BlockError) return null;
    throw error;
  }
};

const REQUESTS_PER_PIECE = 1_000;

/** Those of results that the run has. */
const addRequests = async (
  { tests }: ExportReader,
  { run, results }: Pick<FoundRun, 'run'> & { readonly results: Results },
  block: Requests,
  { requests }: TableFiles,
): Promise<void> => {
  for (let from = 0; from < block.rows; from += REQUESTS_PER_PIECE) {
    const length = Math.min(REQUESTS_PER_PIECE, block.rows - from);
    const some = Array.from({ length }, (_, at) => requestAt(block, from + at));
    const rows = [...new Set(some.map(({ caseIndex }) => rowAt(results, caseIndex)))].filter((row) => row >= 0);
    const named = await tests.findEach(rows.map((row) => results.testId.values[row]!));
    const cases = new Map<number, TestCase>();
    rows.forEach((row, at) => cases.set(row, presentCase(run.id, row, results, named[at])));
    for (const request of some) {
      const result = cases.get(rowAt(results, request.caseIndex));
      if (result) requests.add({ run, result, request });
    }
  }
};
