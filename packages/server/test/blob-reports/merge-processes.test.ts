import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { zipOf } from '../files/archives.ts';
import { file, textFields, upload } from '../files/form.ts';
import { type StartedService, newFolder, startServiceProcess, until } from '../robustness/service-process.ts';

/** What Playwright writes of a run without tests. */
const EVENTS = [
  { method: 'onBlobReportMetadata', params: { version: 2, userAgent: 'test', pathSeparator: '/' } },
  {
    method: 'onConfigure',
    params: {
      config: {
        maxFailures: 0,
        metadata: {},
        rootDir: '/project',
        version: '1.65.0',
        workers: 1,
        globalSetup: null,
        globalTeardown: null,
      },
    },
  },
  { method: 'onBegin' },
  { method: 'onEnd', params: { result: { status: 'passed', startTime: 0, duration: 1 } } },
];
const BLOB = `${EVENTS.map((event) => JSON.stringify(event)).join('\n')}\n`;

const newRun = async ({ url }: { readonly url: string }, name = ''): Promise<number> => {
  const blob = await zipOf({ 'report.jsonl': BLOB, 'resources/name.txt': name });
  return (await upload({ url }, [...textFields(), file('report_blob', blob, 'shard.zip')])).testRunId;
};

const merge = ({ url }: { readonly url: string }, runId: number, signal?: AbortSignal): Promise<Response> =>
  fetch(`${url}/api/test-runs/${runId}/reports/merge`, { method: 'POST', ...(signal ? { signal } : {}) });

/** Processes that merge for this service, by its id, or by the data folder that they write into. */
const mergersOf = (of: number | string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const parent = / (\d+)$/.exec(/^\d+ \(.*\) \S \d+/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))![0])?.[1];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return (
          command.includes('merge-reports') && (typeof of === 'string' ? command.includes(of) : parent === `${of}`)
        );
      } catch {
        return false;
      }
    })
    .map(Number);

/** Stops the process of the merge that has just begun, so that it lasts as long as a test wants. */
const holdMerge = async (service: StartedService): Promise<number> => {
  let held: number | undefined;
  await until('the merge has a process', () => (held = mergersOf(service.pid).find(stop)) !== undefined);
  return held!;
};

/** False when it has just ended. */
const stop = (pid: number): boolean => {
  try {
    return process.kill(pid, 'SIGSTOP');
  } catch {
    return false;
  }
};

const isGone = (pid: number): Promise<void> => until('the process has ended', () => !existsSync(`/proc/${pid}`));

const folder = newFolder();
const started = new AsyncDisposableStack();
let service: StartedService;
let isRunning = false;
/** The service of all tests, until one of them ends it. */
beforeEach(async () => {
  if (!isRunning) service = started.use(await startServiceProcess(folder.path));
  isRunning = true;
});
afterAll(async () => {
  await started.disposeAsync();
  folder[Symbol.dispose]();
});

describe.skipIf(process.platform !== 'linux')('merging the reports of a run', () => {
  it('happens once for all who ask, and one run after the other', async () => {
    const [one, another] = [await newRun(service, 'one'), await newRun(service, 'another')];
    const first = merge(service, one);
    const held = await holdMerge(service);
    const rest = [merge(service, one), merge(service, another)];
    await service.client.listProjects();
    await service.client.listProjects();
    expect(mergersOf(service.pid)).toEqual([held]);
    process.kill(held, 'SIGCONT');
    const answers = await Promise.all([first, ...rest]);
    const reports = await Promise.all(answers.map((answer) => answer.json()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(reports[1]).toEqual(reports[0]);
    expect(reports[2]).not.toEqual(reports[0]);
    for (const id of [one, another]) {
      expect((await service.client.getRun({ params: { id } })).reports.map(({ type }) => type)).toEqual([
        'blob',
        'html',
      ]);
    }
  });

  it('goes on for those who still wait when another client goes, and ends with the last of them', async () => {
    const runId = await newRun(service);
    const clients = [new AbortController(), new AbortController()] as const;
    const answers = clients.map(({ signal }) => merge(service, runId, signal).catch(() => null));
    const held = await holdMerge(service);
    await service.client.listProjects();
    clients[0].abort();
    await answers[0];
    await service.client.listProjects();
    expect(mergersOf(service.pid)).toEqual([held]);
    clients[1].abort();
    await isGone(held);
    expect((await service.client.getRun({ params: { id: runId } })).reports.map(({ type }) => type)).toEqual(['blob']);
  });

  it('is refused with the time to come back when too many runs wait, and taken when those have gone', async () => {
    const running = await newRun(service, 'running');
    const leaving = new AbortController();
    const first = merge(service, running, leaving.signal).catch(() => null);
    await holdMerge(service);
    const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => newRun(service, `waiting ${index}`)));
    const waiting = ids.map((id) => merge(service, id, leaving.signal).catch(() => null));
    const late = await newRun(service, 'late');
    await service.client.listProjects();
    const refused = await merge(service, late, AbortSignal.timeout(20_000));
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    leaving.abort();
    await Promise.all([first, ...waiting]);
    const gone = new AbortController();
    const answer = merge(service, late, gone.signal).catch(() => null);
    const held = await holdMerge(service);
    gone.abort();
    await answer;
    await isGone(held);
  });
});

describe.skipIf(process.platform !== 'linux')('the process of a merge', () => {
  it('ends when the service is told to stop', async () => {
    isRunning = false;
    const answer = merge(service, await newRun(service)).catch(() => null);
    const held = await holdMerge(service);
    service.signal('SIGTERM');
    await isGone(held);
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect((await answer)?.status ?? 503).toBe(503);
  });

  it('ends by itself when the service is killed, and writes no report', async () => {
    isRunning = false;
    const answer = merge(service, await newRun(service)).catch(() => null);
    const held = await holdMerge(service);
    service.signal('SIGKILL');
    await service.exited;
    await answer;
    process.kill(held, 'SIGCONT');
    await until('no process merges', () => mergersOf(folder.path).length === 0);
    const written = readdirSync(join(folder.path, 'staging'), { recursive: true }).map(String);
    expect(written.filter((path) => path.endsWith('index.html'))).toEqual([]);
  });
});
