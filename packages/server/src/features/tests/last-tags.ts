import type { Context } from '../../context.ts';
import { readRuns } from '../../history/read-runs.ts';
import type { Results } from '../../segments/results.ts';
import type { Tally } from '../../segments/summary.ts';
import { nextTurn } from '../../turns.ts';

const RUNS_PER_QUERY = 500;
const NO_TAGS: readonly string[] = [];

/** The tags of the latest result of each test in some rows of a tally, in the order of the rows. */
export const readLastTags = async (
  { queries, segments }: Pick<Context, 'queries' | 'segments'>,
  { columns: { lastRunId, lastRow } }: Tally,
  rows: readonly number[],
): Promise<(readonly string[])[]> => {
  const tags = rows.map(() => NO_TAGS);
  const placesOf = new Map<number, number[]>();
  for (const [place, row] of rows.entries()) {
    const places = placesOf.get(lastRunId[row]!);
    if (places) places.push(place);
    else placesOf.set(lastRunId[row]!, [place]);
  }
  const runIds = [...placesOf.keys()];
  for (let start = 0; start < runIds.length; start += RUNS_PER_QUERY) {
    const runs = await queries
      .selectFrom('runs')
      .select(['id', 'version', 'result_count'])
      .where('id', 'in', runIds.slice(start, start + RUNS_PER_QUERY))
      .execute();
    for await (const { run, results } of readRuns(segments, runs, nextTurn)) {
      if (results === null) continue;
      const tagsAt = await tagReader(results);
      for (const place of placesOf.get(run.id)!) tags[place] = tagsAt(lastRow[rows[place]!]!);
    }
  }
  return tags;
};

/** Most results have one of few lists. */
const tagReader = async ({ tags: { values }, strings }: Results): Promise<(row: number) => readonly string[]> => {
  if (values.every(Number.isNaN)) return () => NO_TAGS;
  await strings.prepare();
  const known = new Map<number, readonly string[]>();
  return (row) => {
    const at = values[row]!;
    if (Number.isNaN(at)) return NO_TAGS;
    const list = known.get(at) ?? (JSON.parse(strings.at(at)) as string[]);
    known.set(at, list);
    return list;
  };
};
