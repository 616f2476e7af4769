import type { Queries } from '../../db/database.ts';
import type { IndexSpan } from '../../segments/row-indices.ts';
import { attachmentPath } from './paths.ts';

/** Larger ones are not shown in a list. */
const MOST_PIXELS = 40_000_000;

export interface Picture {
  readonly id: number;
  readonly attempt: number;
  readonly path: string;
}

interface RankedPicture extends Picture {
  readonly rank: number;
}

export interface Pictures {
  /** By the indices of results: of each attempt that has any, the picture that shows best what became of it; the last one first. */
  find(indices: IndexSpan): Promise<ReadonlyMap<number, readonly Picture[]>>;
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
      const found = new Map<number, Map<number, RankedPicture>>();
      for (const { id, case_index, attempt, name, width, height } of rows) {
        if (width === null || height === null || width * height > MOST_PIXELS) continue;
        const attempts = found.get(case_index) ?? new Map<number, RankedPicture>();
        found.set(case_index, attempts);
        const rank = rankOf(name);
        if (rank < (attempts.get(attempt)?.rank ?? Infinity)) {
          attempts.set(attempt, { id, attempt, rank, path: attachmentPath(id, name) });
        }
      }
      return new Map(
        [...found].map(([index, attempts]) => [index, [...attempts.values()].sort((a, b) => b.attempt - a.attempt)]),
      );
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
