import type { ErrorCode } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { submission } from './build.ts';
import { expectError, request } from './wire.ts';

let server: TestServer;
let lastCaseId: number;
beforeAll(async () => {
  server = await sharedServer();
  const { testRunId } = await server.client.submitRun({ body: submission() });
  lastCaseId = (await server.client.getRun({ params: { id: testRunId } })).testCases[0]!.id;
});

const resources: [method: 'GET' | 'PUT' | 'DELETE', before: string, after: string, missing: ErrorCode][] = [
  ['GET', '/api/projects/', '', 'project_not_found'],
  ['PUT', '/api/projects/', '', 'project_not_found'],
  ['GET', '/api/projects/', '/performance', 'project_not_found'],
  ['GET', '/api/projects/', '/slow-tests', 'project_not_found'],
  ['GET', '/api/projects/', '/test-cases', 'project_not_found'],
  ['GET', '/api/test-runs/', '', 'run_not_found'],
  ['GET', '/api/test-runs/', '/network-requests', 'run_not_found'],
  ['DELETE', '/api/test-runs/', '', 'run_not_found'],
  ['GET', '/api/test-cases/', '', 'test_case_not_found'],
];

describe.each(resources)('%s %s{id}%s', (method, before, after, missing) => {
  const call = (id: string): Promise<Response> => {
    const path = before + id + after;
    if (method !== 'PUT') return request(server, path, { method });
    return request(server, path, { method, body: '{}', headers: { 'content-type': 'application/json' } });
  };

  it.each(['0', '-1', 'abc', '1.5', '1e3', '0x1', '1a', 'NaN', 'null', '%20', '1%00', '%F0%9F%A7%AA'])(
    'answers 400 to the id %s, which is no positive integer',
    async (id) => {
      await expectError(await call(id), 400, 'invalid_id');
    },
  );

  it('answers 404 to an id that does not exist', async () => {
    await expectError(await call('999999999'), 404, missing);
  });

  it.each(['9007199254740991', '9007199254740993', '99999999999999999999999'])(
    'answers 400 or 404 to the id %s',
    async (id) => {
      const response = await call(id);
      expect([400, 404]).toContain(response.status);
      await expectError(response, response.status);
    },
  );
});

describe('a test case id beside one that exists', () => {
  it('answers 404', async () => {
    await expectError(await request(server, `/api/test-cases/${lastCaseId + 1}`), 404, 'test_case_not_found');
  });
});
