import { authEndpoints, userEndpoints } from './accounts.ts';
import { adminEndpoints } from './admin.ts';
import { caseEndpoints } from './cases.ts';
import { fileEndpoints } from './files.ts';
import { ingestEndpoints } from './ingest.ts';
import { insightEndpoints } from './insights.ts';
import { projectEndpoints } from './projects.ts';
import { runEndpoints } from './runs.ts';
import { testEndpoints } from './tests.ts';

/** The whole interface. Routes, the client, OpenAPI and the documentation are all made from this table. */
export const endpoints = {
  ...ingestEndpoints,
  ...projectEndpoints,
  ...insightEndpoints,
  ...testEndpoints,
  ...runEndpoints,
  ...caseEndpoints,
  ...fileEndpoints,
  ...adminEndpoints,
  ...authEndpoints,
  ...userEndpoints,
};

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
