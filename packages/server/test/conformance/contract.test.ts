import { endpoints, send, type Endpoint, type EndpointName, type Input } from '@assay/contract';
import { Compile } from 'typebox/compile';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { daysAgo, minute, newName, richCase, runStart, submission, testCase } from './build.ts';

let server: TestServer;
let projectId: number;
let emptyProjectId: number;
let runId: number;
let emptyRunId: number;
let doomedRunId: number;
let liveRunId: number;
let livePart: number;
let clusterId: number;
let shardRunId: number;
let caseIds: number[];
let testIds: number[];
const keyedProject = newName();

beforeAll(async () => {
  server = await sharedServer();
  const submit = (body: Parameters<typeof submission>[0]) => server.client.submitRun({ body: submission(body) });
  const projectName = newName();
  const metadata = { nested: [{ ключ: null }] };
  const testCases = [
    richCase({ metadata }),
    richCase({ title: 'by object', browser: { name: 'firefox' }, status: 'passed' }),
    testCase({ title: 'bare', duration: undefined, location: undefined, retries: undefined }),
    testCase({
      title: 'fractions',
      duration: 0.25,
      networkRequests: [{ method: 'GET', url: 'https://a.test/no-figures' }],
    }),
    testCase({ title: 'nulls', duration: null, error: null, steps: null, webVitals: null, tags: null, browser: null }),
    testCase({ title: 'unusual', status: 'quarantined', webVitals: { paint: null, navigation: {} } }),
  ];
  for (const at of [0, 1, 2, 3]) {
    const extra = { branch: 'main', commit: 'abc', metadata, duration: 10.75 };
    ({ testRunId: runId, projectId } = await submit({ projectName, startTime: minute(at), testCases, ...extra }));
  }
  await server.client.updateProject({ params: { id: projectId }, body: { label: 'Label', description: 'Text' } });
  await submit({ projectName: keyedProject, runKey: 'build 7' });
  ({ testRunId: emptyRunId } = await submit({ testCases: undefined, duration: undefined }));
  ({ testRunId: doomedRunId, projectId: emptyProjectId } = await submit({}));
  await server.client.deleteRun({ params: { id: doomedRunId } });
  ({ testRunId: doomedRunId } = await submit({ startTime: daysAgo(1) }));
  ({ testRunId: liveRunId, part: livePart } = await server.client.startRun({
    body: runStart({ projectName, startTime: minute(9) }),
  }));
  ({ testRunId: shardRunId } = await submit({ projectName, runKey: 'shards', shard: { index: 2, total: 3 } }));
  const { testCases: stored } = await server.client.getRun({ params: { id: runId } });
  caseIds = stored.map(({ id }) => id);
  testIds = stored.map(({ testId }) => testId);
  const { clusters } = await server.client.listClusters({ params: { id: projectId } });
  clusterId = clusters[0]!.id;
});

/** Every endpoint of this half of the interface, with what it is asked; reads come before what deletes. */
const calls: [name: EndpointName, inputs: () => Input<Endpoint>[]][] = [
  ['submitRun', () => [{ body: submission() }, { body: submission(), headers: { 'idempotency-key': newName('key') } }]],
  ['startRun', () => [{ body: runStart({ expectedTests: 3 }) }]],
  ['addResults', () => [{ params: { id: liveRunId }, body: { part: livePart, batch: 0, testCases: [testCase()] } }]],
  ['finishRun', () => [{ params: { id: liveRunId }, body: { part: livePart, status: 'passed' } }]],
  ['createProject', () => [{ body: { name: newName(), tags: ['web'] } }]],
  ['listProjects', () => [{}, { query: { archived: true } }, { query: { limit: 1 } }, { query: { recent: 3 } }]],
  [
    'getProject',
    () => [projectId, emptyProjectId].flatMap((id) => [{ params: { id } }, { params: { id }, query: { limit: 1 } }]),
  ],
  ['updateProject', () => [{ params: { id: projectId }, body: { label: 'Other' } }]],
  ['getPerformance', () => [projectId, emptyProjectId].map((id) => ({ params: { id } }))],
  ['listSlowTests', () => [projectId, emptyProjectId].map((id) => ({ params: { id } }))],
  [
    'listTests',
    () => [projectId, emptyProjectId].flatMap((id) => [{ params: { id } }, { params: { id }, query: { history: 3 } }]),
  ],
  ['getFlakeCost', () => [projectId, emptyProjectId].map((id) => ({ params: { id } }))],
  ['listFlakyTests', () => [projectId, emptyProjectId].map((id) => ({ params: { id } }))],
  ['getTest', () => testIds.map((id) => ({ params: { id } }))],
  ['getTestSince', () => testIds.map((id) => ({ params: { id } }))],
  ['listChangedTests', () => [projectId, emptyProjectId].map((id) => ({ params: { id } }))],
  ['listFlakeFactors', () => testIds.map((id) => ({ params: { id } }))],
  ['compareRun', () => [runId, emptyRunId, liveRunId, shardRunId].map((id) => ({ params: { id } }))],
  [
    'listClusters',
    () => [{ params: { id: projectId } }, { params: { id: projectId }, query: { state: 'open', q: 'x' } }],
  ],
  ['getCluster', () => [{ params: { id: clusterId } }]],
  ['listRunClusters', () => [runId, emptyRunId, liveRunId, shardRunId].map((id) => ({ params: { id } }))],
  ['updateCluster', () => [{ params: { id: clusterId }, body: { note: 'known', assignee: null } }]],
  ['createView', () => [{ params: { id: projectId }, body: { name: 'Red', query: { over: 'runs', days: 9 } } }]],
  ['listViews', () => [projectId, emptyProjectId].map((id) => ({ params: { id } }))],
  ['explainRun', () => [runId, emptyRunId, liveRunId, shardRunId].map((id) => ({ params: { id } }))],
  ['judgeFailures', () => [runId, emptyRunId, liveRunId, shardRunId].map((id) => ({ params: { id } }))],
  [
    'searchEverything',
    () => [{ query: { q: 'fractions' } }, { query: { q: 'project', limit: 1 } }, { query: { q: '?' } }],
  ],
  ['getStorage', () => [{}]],
  ['previewCleanup', () => [{ query: { olderThanDays: 1 } }, { query: { olderThanDays: 36_500 } }]],
  ['getService', () => [{}]],
  [
    'getRun',
    () =>
      [runId, emptyRunId, liveRunId, shardRunId].flatMap((id) => [
        { params: { id } },
        { params: { id }, query: { details: false } },
      ]),
  ],
  ['findRun', () => [{ query: { projectName: keyedProject, runKey: 'build 7' } }]],
  ['listRunRequests', () => [runId, emptyRunId, liveRunId, shardRunId].map((id) => ({ params: { id } }))],
  ['getTestCase', () => caseIds.map((id) => ({ params: { id } }))],
  ['getFirstDifference', () => caseIds.map((id) => ({ params: { id } }))],
  ['getStats', () => [{}]],
  ['getSession', () => [{}]],
  ['deleteRun', () => [{ params: { id: doomedRunId } }]],
  ['cleanUp', () => [{ body: { olderThanDays: 36_500 } }]],
];

describe('every answer keeps the contract', () => {
  it.each(calls)('%s', async (name, inputs) => {
    const endpoint: Endpoint = endpoints[name];
    const reply = Compile(endpoint.reply);
    expect(inputs().length).toBeGreaterThan(0);
    for (const input of inputs()) {
      const { status, headers, body } = await send({ baseUrl: server.url }, endpoint, input);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^application\/json\b/);
      expect([...reply.Errors(body)], JSON.stringify(input)).toEqual([]);
      for (const time of timesIn(body)) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });
});

const TIMES = new Set(['startTime', 'createdAt', 'updatedAt', 'lastRun', 'startedBefore']);
const AS_SENT = new Set(['metadata', 'steps', 'networkRequests', 'webVitals', 'attempts', 'annotations']);

/** The times that the service formats; what is answered as it was sent is not looked into. */
const timesIn = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value.flatMap(timesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]): unknown[] => {
    if (TIMES.has(name)) return [part];
    return AS_SENT.has(name) ? [] : timesIn(part);
  });
};
