import { blocksNameProject } from '../../db/blocks-of-project.ts';
import type { Queries } from '../../db/database.ts';
import { type Requests, decodeRequests } from '../../segments/requests.ts';
import { byShard } from '../../segments/store.ts';

/** The requests of a run, by its blocks, in the order of its results. */
export const readRequests = async (queries: Queries, runId: number): Promise<Requests[]> => {
  const blocks = await queries
    .selectFrom('segments')
    .leftJoin('parts', (join) =>
      join
        .onRef('parts.id', '=', 'segments.part_id')
        .$call((same) =>
          blocksNameProject(queries) ? same.onRef('parts.project_id', '=', 'segments.project_id') : same,
        ),
    )
    .select(['segments.first_index', 'parts.shard', 'segments.requests'])
    .where('segments.run_id', '=', runId)
    .where('segments.requests', 'is not', null)
    .execute();
  return blocks.sort(byShard).map(({ requests }) => decodeRequests(requests!));
};
