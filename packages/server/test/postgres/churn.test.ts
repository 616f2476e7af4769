import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Client, type Submission, type UploadReply, createClient } from '@assay/contract';
import { type Random, createRandom, draws } from '@assay/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { countJobs } from '../../src/jobs/queue.ts';
import { PASSWORD, bodyOf, cookieOf, isSignedIn, post } from '../accounts/people.ts';
import { minute, testCase } from '../conformance/build.ts';
import { type Part, encodeForm, file, formHeaders, json, text } from '../files/form.ts';
import { compareEverything, compareService } from '../model/compare.ts';
import { type Model, type ModelRun, createModel, liveRuns, recordDeletion, recordSubmission } from '../model/model.ts';
import { type KeyedRuns, partOf, recordPart } from '../model/parts.ts';
import { submittedRun } from '../model/submissions.ts';
import { traceOf, withTrace } from '../model/traces.ts';
import { until } from '../robustness/service-process.ts';
import { type ChurnedReplicas, startChurnedReplicas } from './churned-replicas.ts';
import { countDoubleClaims, watchClaims } from './watch-claims.ts';

/** To search for longer: so many rounds, each with more to do than the one of an ordinary test run. */
const ROUNDS = Number(process.env['CHURN_ROUNDS'] ?? draws(0, 1));
const isSearch = ROUNDS > 0;
const REPLICAS = isSearch ? 3 : 2;
const SENDERS = isSearch ? 5 : 3;
const RUNS_PER_SENDER = isSearch ? 8 : 3;
const PEOPLE = isSearch ? 2 : 1;
const SESSIONS_PER_PERSON = isSearch ? 4 : 2;
const DISTURBANCES = isSearch ? 7 : 3;
const PROJECTS = ['shop', 'office'];
const SEED = process.env['ROBUSTNESS_SEED'] ?? process.env['ASSAY_SEED'] ?? 'replicas';
const SEEDS = Array.from({ length: ROUNDS || 1 }, (_, round) => (round === 0 ? SEED : `${SEED} ${round}`));

/** All that was answered, and so has to be there. */
interface World {
  readonly replicas: ChurnedReplicas;
  readonly client: Client;
  readonly fetch: typeof fetch;
  /** Of a client of the administrator. */
  readonly options: { readonly baseUrl: string; readonly headers: Record<string, string> };
  readonly model: Model;
  readonly keyed: KeyedRuns;
  /** By run, what the attachment of its first case contains. */
  readonly contents: Map<ModelRun, string>;
  /** By cookie, whether it is signed in. */
  readonly sessions: Map<string, boolean>;
}

it.each(SEEDS)('replicas that are killed and cut off lose nothing, and do nothing twice: %s', async (seed) => {
  await using replicas = await startChurnedReplicas(REPLICAS);
  const database = await openDatabase({ url: replicas.database.url }, { access: 'write' });
  try {
    await watchClaims(database);
    const { url } = replicas;
    const setup = await post({ url }, '/api/auth/setup', { username: 'first', password: PASSWORD, name: null });
    // Each request goes to the next replica.
    const headers = { cookie: cookieOf(setup), connection: 'close' };
    const options = { baseUrl: url, headers };
    const world: World = {
      replicas,
      client: createClient({ ...options, fetch: insist }),
      fetch: insist,
      options,
      model: createModel(),
      keyed: new Map(),
      contents: new Map(),
      sessions: new Map(),
    };
    const people = Array.from({ length: PEOPLE }, (_, at) => `person-${at}`);
    for (const username of people) {
      await world.client.createUser({ body: { username, password: PASSWORD, role: 'user', name: null } });
    }

    const random = createRandom(seed);
    await Promise.all([
      ...Array.from({ length: SENDERS }, (_, at) => sendRuns(world, random.fork(`sender-${at}`), `sender-${at}`)),
      ...people.map((username) => signInAndOut(world, random.fork(username), username)),
      disturb(replicas, random.fork('disturbances')),
    ]);

    await doAllJobs(world, database);
    expect(await countDoubleClaims(database)).toBe(0);
    await compareWithModel(world);
  } finally {
    await database.close();
  }
});

const disturb = async (replicas: ChurnedReplicas, draw: Random): Promise<void> => {
  for (let n = 0; n < DISTURBANCES; n++) {
    await delay(draw.integer(50, 500));
    await replicas.disturb(draw);
  }
};

const sendRuns = async (world: World, draw: Random, sender: string): Promise<void> => {
  const { client, model } = world;
  const drawn = fc.sample(submittedRun, { numRuns: RUNS_PER_SENDER, seed: draw.integer(0, 2 ** 31 - 1) });
  for (const [nth, fields] of drawn.entries()) {
    const body: Submission = { ...fields, projectName: draw.pick(PROJECTS) };
    let isLost = false;
    const counted: typeof fetch = (...request) => insistent(request, () => (isLost = true));
    const own = { ...world, fetch: counted, client: createClient({ ...world.options, fetch: counted }) };
    const run = await draw.pick([sendWhole, sendWhole, sendLive, sendUpload])(own, body, `${sender}-${nth}`);
    const { testCases, totalTests } = await client.getRun({ params: { id: run.id } });
    expect(testCases.map(({ title, status }) => ({ title, status }))).toEqual(
      run.cases.map(({ title, status }) => ({ title, status })),
    );
    expect(totalTests).toBe(run.body.totalTests ?? run.cases.length);
    // A request whose answer was lost may still be under way, and would store the run anew once it is deleted.
    if (!draw.chance(0.3) || isLost) continue;
    // An answer that was lost leaves nothing to delete the next time.
    await client.deleteRun({ params: { id: run.id } }).catch(unlessMissing);
    recordDeletion(model, run);
    await expect(client.getRun({ params: { id: run.id } })).rejects.toMatchObject({ status: 404 });
  }
};

const unlessMissing = (error: unknown): void => {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
};

const sendWhole = async ({ client, model }: World, body: Submission, key: string): Promise<ModelRun> =>
  recordSubmission(model, body, await client.submitRun({ body, headers: { 'idempotency-key': key } }));

const sendLive = async ({ client, model, keyed }: World, sent: Submission, runKey: string): Promise<ModelRun> => {
  const { projectName, startTime, branch, commit, metadata, status, duration, testCases } = sent;
  const head = { projectName, startTime, branch, commit, metadata, runKey };
  const reply = await client.startRun({ body: head });
  const { testRunId: id, part } = reply;
  for (const [batch, one] of (testCases ?? []).entries()) {
    await client.addResults({ params: { id }, body: { part, batch, testCases: [one] } });
  }
  await client.finishRun({ params: { id }, body: { part, status, duration } });
  const finished = partOf({ ...head, status, duration, testCases }, 'finished');
  recordPart(model, keyed, `${projectName} ${runKey}`, finished, reply);
  return keyed.get(`${projectName} ${runKey}`)!.run;
};

/** With an attachment and a trace of its first case. */
const sendUpload = async (world: World, sent: Submission, key: string): Promise<ModelRun> => {
  const { projectName, testCases, ...testRun } = sent;
  const cases = testCases?.length ? testCases : [testCase({ title: 'has files' })];
  const { zip, contents } = await traceOf(key);
  const content = `seen by ${key.length % 3}`;
  const parts: Part[] = [
    text('projectName', projectName),
    json('testRun', testRun),
    json('testCases', cases),
    { name: 'attachment_0', content, filename: 'notes.txt', type: 'text/plain' },
    file('trace_0', zip, 'trace.zip'),
  ];
  const response = await world.fetch(`${world.replicas.url}/api/test-runs/upload`, {
    method: 'POST',
    headers: formHeaders({ ...world.options.headers, 'idempotency-key': key }),
    body: encodeForm(parts),
  });
  const run = recordSubmission(world.model, { ...sent, testCases: cases }, await bodyOf<UploadReply>(response));
  const [first, ...others] = run.cases;
  run.cases = [{ ...withTrace(first!, contents), attachments: ['notes.txt'] }, ...others];
  world.contents.set(run, content);
  return run;
};

const signInAndOut = async ({ replicas, sessions }: World, draw: Random, username: string): Promise<void> => {
  const server = { url: replicas.url };
  const send = (path: string, body: object | null, cookie?: string): Promise<Response> => {
    const headers = { 'content-type': 'application/json', connection: 'close', ...(cookie ? { cookie } : {}) };
    return insist(`${server.url}${path}`, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) });
  };
  for (let n = 0; n < SESSIONS_PER_PERSON; n++) {
    const response = await send('/api/auth/login', { username, password: PASSWORD });
    expect(response.status).toBe(200);
    const cookie = cookieOf(response);
    sessions.set(cookie, true);
    expect(await isStillSignedIn(server, cookie)).toBe(true);
    if (draw.chance(0.5)) {
      expect((await send('/api/auth/login', { username, password: 'another' })).status).toBe(401);
    }
    if (draw.chance(0.4)) continue;
    expect((await send('/api/auth/logout', null, cookie)).status).toBe(200);
    sessions.set(cookie, false);
    expect(await isStillSignedIn(server, cookie)).toBe(false);
  }
};

const isStillSignedIn = async ({ url }: { readonly url: string }, cookie: string): Promise<boolean> => {
  const answer = await insist(`${url}/api/auth/me`, { headers: { cookie, connection: 'close' } });
  return (await bodyOf<{ authenticated: boolean }>(answer)).authenticated;
};

/** As if the time had passed after which another takes the jobs of replicas that were killed. */
const doAllJobs = async ({ replicas }: World, database: Database): Promise<void> => {
  await replicas.restartOne(async () => {
    await database.queries.updateTable('jobs').set({ claimed_until: 0, due_at: 0 }).execute();
  });
  await until('all jobs are done', async () => (await countJobs(database.queries)).waiting === 0);
  expect(await countJobs(database.queries)).toEqual({ waiting: 0, failed: 0 });
};

const compareWithModel = async (world: World): Promise<void> => {
  const { replicas, client, model, contents, sessions } = world;
  // Projects are listed by their latest submission: which that was while others submitted too, nobody knows.
  for (const projectName of PROJECTS) {
    await sendWhole(world, { projectName, status: 'passed', startTime: minute(0) }, `last of ${projectName}`);
  }
  // Answers came in another order than the runs that they are of.
  model.runs.sort((a, b) => a.id - b.id);
  await compareIds(world);
  await compareService(client, model);
  await compareEverything(client, model, model.projects);
  for (const [run, content] of contents) {
    if (run.deleted) continue;
    const { testCases } = await client.getRun({ params: { id: run.id }, query: { details: false } });
    const { attachments } = await client.getTestCase({ params: { id: testCases[0]!.id } });
    const stored = await insist(`${replicas.url}/api/files/${attachments[0]!.path}`, {
      headers: world.options.headers,
    });
    expect(await stored.text()).toBe(content);
  }
  for (const server of replicas.replicas()) {
    for (const [cookie, isOpen] of sessions) expect(await isSignedIn(server, cookie)).toBe(isOpen);
  }
};

/** Every run once, and none that nobody sent or that was deleted. */
const compareIds = async ({ client, model }: World): Promise<void> => {
  for (const project of model.projects) {
    const { testRuns } = await client.getProject({ params: { id: project.id }, query: { limit: 1_000 } });
    const known = new Set(liveRuns(model, project).map(({ id }) => id));
    expect(testRuns.filter(({ id }) => !known.has(id))).toEqual([]);
    expect(testRuns).toHaveLength(known.size);
  }
};

const TRY_AGAIN = new Set([429, 503]);

/** Tries until it is answered, as a sender does; tells of each time that a connection was lost before an answer came. */
const insistent = async (request: Parameters<typeof fetch>, onLost: () => void): Promise<Response> => {
  for (;;) {
    try {
      const response = await fetch(...request);
      const body = await response.arrayBuffer();
      if (!TRY_AGAIN.has(response.status)) return new Response(body, response);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      onLost();
    }
    await delay(30);
  }
};

const insist: typeof fetch = (...request) => insistent(request, () => undefined);
