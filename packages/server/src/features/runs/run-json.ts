import { type RunDetails, type TestCase, outcomeOf, splitResultId } from '@assay/contract';
import type { Context } from '../../context.ts';
import { writeWithLists } from '../../http/json-pieces.ts';
import { LARGE_FROM_ROWS } from '../../http/large-answers.ts';
import { RESULT_NAMES, type Results, widen } from '../../segments/results.ts';
import { type IndexSpan, indexAt, indexSpans } from '../../segments/row-indices.ts';
import { nextTurn } from '../../turns.ts';
import { NO_DETAILS, presentCase } from '../cases/present-case.ts';
import { readDetailTexts } from '../cases/read-details.ts';
import { type Pictures, openPictures } from '../files/pictures.ts';

const CASES_PER_PIECE = 200;
const NO_DETAILS_JSON = Buffer.from(JSON.stringify(NO_DETAILS));

type Reader = Pick<Context, 'queries' | 'tests' | 'damage' | 'owners'>;

export interface CaseRange {
  readonly from: number;
  readonly to: number;
  readonly withDetails: boolean;
  /** Which rows of them; without it all. */
  readonly isWanted?: ((row: number) => boolean) | undefined;
}

/** Writes a run some cases at a time: one of any size is sent from a few cases in memory. */
export const writeRun = (
  reader: Reader,
  head: Omit<RunDetails, 'testCases'>,
  results: Results,
  range: CaseRange,
): AsyncGenerator<string> => writeWithLists(head, { testCases: writeCases(reader, head, results, range) });

async function* writeCases(
  reader: Reader,
  { id: runId, project }: Omit<RunDetails, 'testCases'>,
  results: Results,
  range: CaseRange,
): AsyncGenerator<string> {
  const ownersOf = await reader.owners.of(project.id);
  const pictures = await openPictures(reader.queries, runId);
  let start = range.from;
  for await (const some of readCases(reader, runId, results, range)) {
    const cases = some.map(({ result }) => result);
    if (ownersOf) for (const one of cases) one.owners = [...ownersOf(one.filePath)];
    for (const span of indexSpans(results, start, start + some.length)) await addPictures(cases, pictures, span);
    start += some.length;
    yield range.withDetails
      ? `[${some.map(({ result, details }) => withFields(result, details ?? NO_DETAILS_JSON)).join()}]`
      : JSON.stringify(cases);
  }
}

/** Some cases at a time, with their details as JSON where they have any. */
export async function* readCases(
  { queries, tests, damage }: Omit<Reader, 'owners'>,
  runId: number,
  results: Results,
  { from, to, withDetails, isWanted = () => true }: CaseRange,
): AsyncGenerator<{ readonly result: TestCase; readonly details: Uint8Array | undefined }[]> {
  await widen(results, RESULT_NAMES, nextTurn);
  const keep = to - from <= LARGE_FROM_ROWS;
  for (let start = from; start < to; start += CASES_PER_PIECE) {
    const end = Math.min(start + CASES_PER_PIECE, to);
    const rows = Array.from({ length: end - start }, (_, at) => start + at).filter(isWanted);
    if (rows.length === 0) continue;
    const named = await tests.findEach(
      rows.map((row) => results.testId.values[row]!),
      { keep },
    );
    const details = new Map<number, Uint8Array>();
    if (withDetails) {
      for (const span of indexSpans(results, start, end))
        await readDetailTexts({ queries, damage }, runId, span, details);
    }
    yield rows.map((row, at) => ({
      result: presentCase(runId, row, results, named[at]),
      details: details.get(indexAt(results, row)),
    }));
  }
}

/** A picture says something where a test failed; the last attempt of a flaky one did not. */
const addPictures = async (cases: readonly TestCase[], pictures: Pictures, span: IndexSpan): Promise<void> => {
  const found = await pictures.find(span);
  for (const one of cases) {
    const ofCase = found.get(splitResultId(one.id).index) ?? [];
    const picture = one.flaky
      ? (ofCase.find(({ attempt }) => attempt < one.retries) ?? ofCase[0])
      : outcomeOf(one.status) === 'failed'
        ? ofCase[0]
        : undefined;
    if (picture) one.picture = picture.path;
  }
};

/** Details are stored as JSON and go out as they are. */
const withFields = (one: TestCase, details: Uint8Array): string =>
  `${JSON.stringify(one).slice(0, -1)},${Buffer.from(details.buffer, details.byteOffset + 1, details.byteLength - 1).toString()}`;
