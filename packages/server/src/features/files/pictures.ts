import type { Queries } from '../../db/database.ts';
import type { IndexSpan } from '../../segments/row-indices.ts';
import { attachmentPath } from './paths.ts';

/** Larger ones are not shown in a list. */
const MOST_PIXELS = 40_000_000;

interface Picture {
  readonly attempt: number;
  readonly rank: number;
  readonly path: string;
}

export interface Pictures {
  /** The paths of the pictures that show best what became of results, by their indices. */
  find(indices: IndexSpan): Promise<ReadonlyMap<number, string>>;
}

/** Pictures among the attachments of a run. */
export const openPictures = async (queries: Queries, runId: number): Promise<Pictures> => {
  const ofRun = queries.selectFrom('attachments').where('run_id', '=', runId).where('content_type', 'like', 'image/%');
  const any = await ofRun.select('id').limit(1).executeTakeFirst();
  if (!any) return NO_PICTURES;
  return {
    async find({ from, to }) {
      const rows = await ofRun
        .select(['id', 'case_index', 'attempt', 'name', 'width', 'height'])
        .where('case_index', '>=', from)
        .where('case_index', '<', to)
        .orderBy('id')
        .execute();
      const best = new Map<number, Picture>();
      for (const { id, case_index, attempt, name, width, height } of rows) {
        if (width === null || height === null || width * height > MOST_PIXELS) continue;
        const picture = { attempt, rank: rankOf(name), path: attachmentPath(id, name) };
        const before = best.get(case_index);
        if (!before || isBetter(picture, before)) best.set(case_index, picture);
      }
      return new Map([...best].map(([index, { path }]) => [index, path]));
    },
  };
};

const NO_PICTURES: Pictures = { find: async () => new Map() };

/** What the test saw comes before what was compared. */
const rankOf = (name: string): number => {
  if (/-expected(?:\.|$)/.test(name)) return 3;
  if (/-diff(?:\.|$)/.test(name)) return 2;
  return /-actual(?:\.|$)/.test(name) ? 1 : 0;
};

const isBetter = (one: Picture, other: Picture): boolean =>
  one.attempt === other.attempt ? one.rank < other.rank : one.attempt > other.attempt;
