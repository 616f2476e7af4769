import type { Context } from '../../context.ts';
import { readRuns } from '../../history/read-runs.ts';
import { memoise } from '../../memoise.ts';
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
      await putTags(results, placesOf.get(run.id)!, (place) => lastRow[rows[place]!]!, tags);
    }
  }
  return tags;
};

/** Only of the results that are asked for, most of which have one of few lists or none. */
const putTags = async (
  { tags, strings }: Results,
  places: readonly number[],
  rowOf: (place: number) => number,
  into: (readonly string[])[],
): Promise<void> => {
  const tagged = places.filter((place) => !Number.isNaN(tags.at(rowOf(place))));
  if (tagged.length === 0) return;
  await strings.prepare();
  const readList = memoise((number: number) => JSON.parse(strings.at(number)) as readonly string[]);
  for (const place of tagged) into[place] = readList(tags.at(rowOf(place)));
};
