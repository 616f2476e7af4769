import { MOST_SIMILAR_CLUSTERS, type SimilarCluster } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { nextTurn } from '../../turns.ts';
import { type ClusterGroup, idsOf } from './present-clusters.ts';

const LEAST_SIMILARITY = 0.6;
/** The last seen ones are compared. A comparison takes some microseconds: sketches of the causes would be no faster. */
const MOST_COMPARED = 10_000;
const COMPARED_AT_ONCE = 1_000;

/** Clusters of the same project whose causes have most words in common with this one. */
export const findSimilar = async (queries: Queries, group: ClusterGroup): Promise<SimilarCluster[]> => {
  const own = new Set(idsOf(group));
  const words = wordsOf(group.head.cause);
  const others = await queries
    .selectFrom('clusters')
    .select(['id', 'cause', 'failures'])
    .where('project_id', '=', group.head.project_id)
    .where('listed_at', 'is not', null)
    .orderBy('listed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_COMPARED)
    .execute();
  const found: SimilarCluster[] = [];
  for (const [at, other] of others.entries()) {
    if (at % COMPARED_AT_ONCE === COMPARED_AT_ONCE - 1) await nextTurn();
    if (own.has(other.id)) continue;
    const similarity = similarityOf(words, wordsOf(other.cause));
    if (similarity >= LEAST_SIMILARITY) found.push({ ...other, similarity: Number(similarity.toFixed(3)) });
  }
  return found.sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, MOST_SIMILAR_CLUSTERS);
};

/** Words and signs; several of one are told apart. */
const wordsOf = (cause: string): Set<string> => {
  const counts = new Map<string, number>();
  return new Set(
    (cause.toLowerCase().match(/[\p{L}\p{N}_]+|<\*>|[^\s\p{L}\p{N}_]/gu) ?? []).map((word) => {
      const count = (counts.get(word) ?? 0) + 1;
      counts.set(word, count);
      return `${word} ${count}`;
    }),
  );
};

const similarityOf = (some: ReadonlySet<string>, others: ReadonlySet<string>): number => {
  let both = 0;
  for (const word of some) if (others.has(word)) both++;
  return both === 0 ? 0 : both / (some.size + others.size - both);
};
