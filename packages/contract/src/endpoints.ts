import { authEndpoints, userEndpoints } from './accounts.ts';
import { adminEndpoints } from './admin.ts';
import { branchEndpoints } from './branches.ts';
import { caseEndpoints } from './cases.ts';
import { causeEndpoints } from './causes.ts';
import { changedTestEndpoints } from './changed-tests.ts';
import { clusterEndpoints } from './clusters.ts';
import { commitEndpoints } from './commits.ts';
import { fileEndpoints } from './files.ts';
import { firstDifferenceEndpoints } from './first-difference.ts';
import { flakeFactorEndpoints } from './flake-factors.ts';
import { flakyTestEndpoints } from './flaky-tests.ts';
import { importEndpoints } from './imports.ts';
import { ingestEndpoints } from './ingest.ts';
import { insightEndpoints } from './insights.ts';
import { liveEndpoints } from './live.ts';
import { ownerEndpoints } from './owners.ts';
import { projectEndpoints } from './projects.ts';
import { queryEndpoints } from './query.ts';
import { retentionEndpoints } from './retention.ts';
import { runEndpoints } from './runs.ts';
import { searchEndpoints } from './search.ts';
import { serviceEndpoints } from './service.ts';
import { testDetailsEndpoints } from './test-details.ts';
import { testSinceEndpoints } from './test-since.ts';
import { testEndpoints } from './tests.ts';
import { viewEndpoints } from './views.ts';
import { windowEndpoints } from './window.ts';

/** The whole interface. Routes, the client, OpenAPI and the documentation are all made from this table. */
export const endpoints = {
  ...ingestEndpoints,
  ...importEndpoints,
  ...liveEndpoints,
  ...commitEndpoints,
  ...projectEndpoints,
  ...insightEndpoints,
  ...flakyTestEndpoints,
  ...testEndpoints,
  ...ownerEndpoints,
  ...causeEndpoints,
  ...clusterEndpoints,
  ...windowEndpoints,
  ...branchEndpoints,
  ...testDetailsEndpoints,
  ...testSinceEndpoints,
  ...changedTestEndpoints,
  ...flakeFactorEndpoints,
  ...runEndpoints,
  ...caseEndpoints,
  ...firstDifferenceEndpoints,
  ...fileEndpoints,
  ...searchEndpoints,
  ...queryEndpoints,
  ...viewEndpoints,
  ...adminEndpoints,
  ...retentionEndpoints,
  ...authEndpoints,
  ...userEndpoints,
  ...serviceEndpoints,
};

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
