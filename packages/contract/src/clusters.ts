import { type Static, Type } from 'typebox';
import { CauseTests } from './causes.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from './limits.ts';
import { RunOfResult, RunRef } from './run-refs.ts';
import { Count, Maybe, Nullable, Time, paging } from './schema.ts';
import { withCommas } from './with-commas.ts';

export const MOST_CLUSTERS = 50;
/** Causes of one run beyond these belong to no cluster. */
export const MOST_CLUSTERS_OF_RUN = 500;
export const MOST_CLUSTER_RUNS = 50;
export const MOST_SIMILAR_CLUSTERS = 5;
export const MOST_CLUSTER_PLACES = 10;
/** Branches and environments of one cluster. */
export const MOST_CLUSTER_GROUPS = 50;
/** By how many of the latest runs of a project it is judged whether a cluster is open. */
export const JUDGING_RUNS = 5_000;
export const LONGEST_NOTE = 4_000;

export const ClusterState = Type.Union(
  [Type.Literal('open'), Type.Literal('quiet'), Type.Literal('fixed'), Type.Literal('returned')],
  {
    title: 'ClusterState',
    description:
      '`open`: it goes on. `quiet`: it was not seen for long, which happens by chance in less than 1 of 10 cases. `fixed`: the same in less than 1 of 100. `returned`: it was fixed and goes on again.',
  },
);
export type ClusterState = Static<typeof ClusterState>;

export const ClusterLife = Type.Object(
  {
    state: ClusterState,
    runsWithout: Type.Integer({
      minimum: 0,
      description:
        'Runs after the last that shows it, of the branches on which it was seen, that were to run all tests',
    }),
    chance: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'That it is missing from so many runs though nothing was fixed, by how often it was seen before',
    }),
    seenIn: Type.Integer({ minimum: 0, description: 'Runs that show it, since it was first seen or returned' }),
    seenOf: Type.Integer({ minimum: 0, description: 'of so many such runs up to the last that shows it' }),
    returnedAfter: Nullable(
      Type.Integer({ minimum: 1, description: 'Such runs without it before it returned; null while it never has' }),
    ),
  },
  {
    title: 'ClusterLife',
    description: `By the latest ${withCommas(JUDGING_RUNS)} runs of the project. The page on statistics in the documentation says how it is judged.`,
  },
);
export type ClusterLife = Static<typeof ClusterLife>;

/** What people say of it. */
const annotation = {
  note: Nullable(Type.String()),
  assignee: Nullable(Type.String()),
  issueUrl: Nullable(Type.String()),
  snoozedUntil: Nullable(Time),
};

export const Cluster = Type.Object(
  {
    id: Id,
    cause: Type.String({ description: 'What its failures have in common, as the list of causes has it' }),
    joined: Type.Integer({ minimum: 0, description: 'Further causes that people have joined with it' }),
    failures: Type.Integer({ minimum: 0, description: 'Failed results in stored runs' }),
    runs: Type.Integer({ minimum: 0, description: 'Stored runs that show it' }),
    firstSeen: Nullable(RunRef, { description: 'The first stored run that shows it' }),
    lastSeen: Nullable(RunRef),
    life: ClusterLife,
    ...annotation,
  },
  { title: 'Cluster' },
);
export type Cluster = Static<typeof Cluster>;

export const Clusters = Type.Object(
  {
    clusters: Type.Array(Cluster),
    unreadRuns: Type.Integer({
      minimum: 0,
      description: 'Runs that are not part of the figures yet; they are being read',
    }),
  },
  { title: 'Clusters' },
);
export type Clusters = Static<typeof Clusters>;

const JoinedCause = Type.Object(
  { id: Id, cause: Type.String(), failures: Count, runs: Count },
  { title: 'JoinedCause', description: 'A cause that was joined with others; as a cluster of its own it has this id' },
);

const SimilarCluster = Type.Object(
  {
    id: Id,
    cause: Type.String(),
    failures: Count,
    similarity: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Words and signs that both causes have, of all that either has',
    }),
  },
  { title: 'SimilarCluster' },
);
export type SimilarCluster = Static<typeof SimilarCluster>;

const seen = { runs: Type.Integer({ minimum: 1, description: 'Runs that show it' }), lastSeen: Time };
const Name = Nullable(Type.String());

export const ClusterDetails = Type.Object(
  {
    ...Cluster.properties,
    projectId: Id,
    joinedTo: Nullable(Id, { description: 'The cluster that people joined this one with, which has its failures' }),
    causes: Type.Array(JoinedCause, { description: 'Its own first, then those that were joined with it' }),
    latestRuns: Type.Array(Type.Object({ ...RunRef.properties, failures: Count }), {
      maxItems: MOST_CLUSTER_RUNS,
      description: `The latest ${MOST_CLUSTER_RUNS} that show it, newest first`,
    }),
    branches: Type.Array(Type.Object({ branch: Name, ...seen }), {
      maxItems: MOST_CLUSTER_GROUPS,
      description: 'Last seen first',
    }),
    environments: Type.Array(Type.Object({ environment: Name, ...seen }), {
      maxItems: MOST_CLUSTER_GROUPS,
      description: 'Last seen first',
    }),
    tests: CauseTests,
    places: Type.Array(Type.String(), {
      maxItems: MOST_CLUSTER_PLACES,
      description: 'First frames of its errors in the latest runs that are of no library, the most frequent first',
    }),
    sample: Nullable(Type.Object({ error: Type.String(), result: RunOfResult }), {
      description: 'One of its errors in the latest run that shows it',
    }),
    similar: Type.Array(SimilarCluster, {
      maxItems: MOST_SIMILAR_CLUSTERS,
      description: 'Clusters that may be the same, the most similar first',
    }),
    unreadRuns: Clusters.properties.unreadRuns,
  },
  { title: 'ClusterDetails', description: `\`tests\` are those of \`latestRuns\`.` },
);
export type ClusterDetails = Static<typeof ClusterDetails>;

export const ClusterChange = Type.Object(
  {
    note: Maybe(Type.String({ maxLength: LONGEST_NOTE })),
    assignee: Maybe(Type.String({ maxLength: MAX_NAME_LENGTH, description: 'A person or a team, by any name' })),
    issueUrl: Maybe(Type.String({ maxLength: MAX_TEXT_LENGTH, description: 'Where the problem is tracked' })),
    snoozedUntil: Maybe(Time),
    joinedTo: Maybe(Type.Integer({ minimum: 1, description: 'The cluster to join it with; null parts them again' })),
  },
  { title: 'ClusterChange' },
);
export type ClusterChange = Static<typeof ClusterChange>;

export const RunCluster = Type.Object(
  {
    ...Cluster.properties,
    failuresHere: Type.Integer({ minimum: 1, description: 'Failed results of the run that belong to it' }),
    isNew: Type.Boolean({ description: 'Whether no run that started before shows it' }),
  },
  { title: 'RunCluster' },
);
export type RunCluster = Static<typeof RunCluster>;

export const clusterEndpoints = {
  listClusters: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/clusters',
    access: 'public',
    group: 'Projects',
    summary: 'Clusters of failures: why tests failed in all stored runs, and whether it goes on',
    description:
      'Failures of one cause are a cluster, over all runs. The last seen first. With `state` or `q` a page may have fewer than `limit`, even none, and a next one: only so many clusters are looked at for one request.',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      state: Type.Optional(ClusterState),
      q: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Only causes that contain this text, in any case' }),
      ),
      ...paging,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, default: MOST_CLUSTERS, description: 'Page size' }),
      ),
    }),
    reply: Clusters,
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
  getCluster: endpoint({
    method: 'GET',
    path: '/api/clusters/{id}',
    access: 'public',
    group: 'Projects',
    summary: 'A cluster of failures, with its runs, tests, branches and environments',
    params: Type.Object({ id: Id }),
    reply: ClusterDetails,
    errors: ['invalid_id', 'cluster_not_found'],
  }),
  updateCluster: endpoint({
    method: 'PUT',
    path: '/api/clusters/{id}',
    access: 'submitter-session',
    group: 'Projects',
    summary: 'Change what people say of a cluster, or join it with another one',
    description:
      'A field that is left out stays; null or an empty text clears it. A cluster that has others joined with it takes them along.',
    params: Type.Object({ id: Id }),
    body: ClusterChange,
    reply: Type.Object({ success: Type.Literal(true) }),
    errors: ['invalid_id', 'invalid_body', 'body_too_large', 'unsupported_media_type', 'cluster_not_found'],
  }),
  listRunClusters: endpoint({
    method: 'GET',
    path: '/api/test-runs/{id}/clusters',
    access: 'public',
    group: 'Runs',
    summary: 'The clusters of failures that a run shows, new ones first',
    description: `Then those with most failures; at most ${MOST_CLUSTERS}. Failures without an error belong to none.`,
    params: Type.Object({ id: Id }),
    reply: Type.Object({
      clusters: Type.Array(RunCluster, { maxItems: MOST_CLUSTERS }),
      totalClusters: Count,
      unreadRuns: Clusters.properties.unreadRuns,
    }),
    errors: ['invalid_id', 'run_not_found'],
  }),
};
