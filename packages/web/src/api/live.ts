import type { EndpointName, ProjectEvent, RunEvent } from '@assay/contract';
import { useSyncExternalStore } from 'react';
import { queryClient, request } from './client.ts';

/*
 * News from the service. An event only says what is out of date; what is on screen is then asked for again, and a page
 * that shows a list decides itself when to move it. Where no events come through, such as behind a proxy that keeps them,
 * everything is asked for again now and then.
 */

type Connection = 'connecting' | 'live' | 'polling' | 'away';

const AGAIN_MS = 10_000;
const AWAY_AFTER_MS = 4_000;
const CHECK_AGAIN_MS = 2_000;

let connection: Connection = 'connecting';
let greeted = false;
let checks = 0;
const watchers = new Set<() => void>();

export const startLive = (): void => {
  const source = new EventSource('/api/events');
  let silence: ReturnType<typeof setTimeout> | undefined;
  source.addEventListener('hello', () => {
    clearTimeout(silence);
    silence = undefined;
    // What happened while nobody listened is not told again.
    if (greeted) askAllAgain();
    greeted = true;
    setConnection('live');
  });
  source.addEventListener('run', (event) => {
    const { projectId, testRunId } = newsIn(event) as RunEvent;
    outdate(projectId, testRunId);
  });
  source.addEventListener('project', (event) => outdate((newsIn(event) as ProjectEvent).projectId, null));
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) {
      clearTimeout(silence);
      void askWithoutEvents();
    } else silence ??= setTimeout(() => setConnection('away'), AWAY_AFTER_MS);
  });
};

const newsIn = (event: Event): unknown => JSON.parse((event as MessageEvent<string>).data);

/** A network that goes leaves a stream open, and one that comes back may not have broken it. */
export const watchNetwork = (): void => {
  window.addEventListener('offline', () => void checkService('live'));
  window.addEventListener('online', () => void checkService('live'));
};

/** The browser has given up on events: the service refuses them, or something in between does. */
const askWithoutEvents = async (): Promise<void> => {
  await checkService('polling');
  setTimeout(startLive, AGAIN_MS);
};

/** Until it answers: the stream may be open still and say nothing of a network that is back. */
const checkService = async (found: Connection): Promise<void> => {
  const check = ++checks;
  const answers = await request('getService', {}).then(
    () => true,
    () => false,
  );
  // One that began later knows better.
  if (check !== checks) return;
  if (answers) {
    askAllAgain();
    setConnection(found);
    return;
  }
  setConnection('away');
  setTimeout(() => {
    if (check === checks && connection === 'away') void checkService(found);
  }, CHECK_AGAIN_MS);
};

const askAllAgain = (): void => {
  if (document.visibilityState === 'visible') void queryClient.invalidateQueries();
};

/** Their addresses do not say which project they are of; one that has not changed costs a 304. */
const OF_ANY_PROJECT = new Set<EndpointName>([
  'listProjects',
  'getStats',
  'getStorage',
  'compareRun',
  'getTest',
  'getTestCase',
]);
const OF_A_PROJECT = new Set<EndpointName>([
  'getProject',
  'getPerformance',
  'listTests',
  'listSlowTests',
  'listFlakyTests',
]);
const OF_A_RUN = new Set<EndpointName>(['getRun', 'listRunRequests']);

/** A run that is still going tells of itself every moment; asking this often is enough to follow it. */
const OUTDATE_EVERY_MS = 1_500;
const resting = new Map<string, boolean>();

/** At once, and then again at the end of a rest if more was told meanwhile. */
const outdate = (projectId: number, runId: number | null): void => {
  const key = `${projectId} ${runId}`;
  if (resting.has(key)) {
    resting.set(key, true);
    return;
  }
  askAgainFor(projectId, runId);
  resting.set(key, false);
  setTimeout(() => {
    const more = resting.get(key);
    resting.delete(key);
    if (more) outdate(projectId, runId);
  }, OUTDATE_EVERY_MS);
};

const askAgainFor = (projectId: number, runId: number | null): void => {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => {
      const [name, input] = queryKey as [EndpointName, { params?: { id?: number } } | undefined];
      const id = input?.params?.id;
      if (OF_ANY_PROJECT.has(name)) return true;
      if (OF_A_PROJECT.has(name)) return id === projectId;
      return OF_A_RUN.has(name) && (runId === null || id === runId);
    },
  });
};

const setConnection = (next: Connection): void => {
  connection = next;
  for (const watcher of watchers) watcher();
};

export const useConnection = (): Connection =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => connection,
  );
