import type { EndpointName, HelloEvent, ProjectEvent, RunEvent } from '@assay/contract';
import { useSyncExternalStore } from 'react';
import { queryClient, request } from './client.ts';
import { openSharedEventStream } from './event-stream.ts';
import { checkVersion } from './new-version.ts';

/*
 * Live updates. An event only says what is out of date; what is on screen is then requested again, and a page that shows a
 * list decides itself when to move it. Hidden tabs listen to nothing and refresh when they become visible. Where no events
 * come through, such as behind a proxy that buffers them, everything is requested again now and then.
 */

type Connection = 'connecting' | 'live' | 'polling' | 'away';

const AWAY_AFTER_MS = 4_000;
const CHECK_AGAIN_MS = 2_000;

let connection: Connection = 'connecting';
let checks = 0;
const watchers = new Set<() => void>();

/** Calls `onReplaced` when the service has other data than before: a restored backup, another data directory. */
export const startLiveUpdates = (onReplaced: () => void): void => {
  let installation: string | null = null;
  // A tab that was opened in the background may be looked at much later.
  let missedEvents = document.visibilityState === 'hidden';
  let silence: ReturnType<typeof setTimeout> | undefined;

  const greet = (hello: string): void => {
    const before = installation;
    installation = installationIn(hello);
    if (before !== null) void checkVersion();
    if (before !== null && before !== installation) onReplaced();
    else if (missedEvents) refreshAll();
    missedEvents = true;
    setConnection('live');
  };
  const stream = openSharedEventStream((message) => {
    if (message.type !== 'lost') {
      clearTimeout(silence);
      silence = undefined;
    }
    if (message.type === 'hello') greet(message.data);
    else if (message.type === 'run') {
      const { projectId, testRunId } = JSON.parse(message.data) as RunEvent;
      outdate(projectId, testRunId);
    } else if (message.type === 'project') outdate((JSON.parse(message.data) as ProjectEvent).projectId, null);
    else if (message.type === 'refused') void checkService('polling');
    else silence ??= setTimeout(() => setConnection('away'), AWAY_AFTER_MS);
  });
  const listenWhileVisible = (): void => {
    if (document.visibilityState === 'visible') {
      stream.open();
      return;
    }
    clearTimeout(silence);
    silence = undefined;
    missedEvents = true;
    stream.close();
  };
  document.addEventListener('visibilitychange', listenWhileVisible);
  window.addEventListener('pagehide', () => stream.close());
  window.addEventListener('pageshow', listenWhileVisible);
  // A network that goes leaves a stream open, and one that comes back may not have broken it.
  window.addEventListener('offline', () => void checkService('live'));
  window.addEventListener('online', () => void checkService('live'));
  listenWhileVisible();
};

/** Everything that `hello` says about the stored data; a new version of the service keeps it. */
const installationIn = (hello: string): string => {
  const { version: _, ...installation } = JSON.parse(hello) as HelloEvent;
  return JSON.stringify(installation);
};

/** Until it answers: the stream may still be open and not show that the network is back. */
const checkService = async (found: Connection): Promise<void> => {
  if (document.visibilityState === 'hidden') return;
  const check = ++checks;
  const answers = await request('getService', {}).then(
    () => true,
    () => false,
  );
  // One that began later knows better.
  if (check !== checks) return;
  if (answers) {
    refreshAll();
    setConnection(found);
    return;
  }
  setConnection('away');
  setTimeout(() => {
    if (check === checks && connection === 'away') void checkService(found);
  }, CHECK_AGAIN_MS);
};

const refreshAll = (): void => {
  if (document.visibilityState === 'visible') void queryClient.invalidateQueries();
};

/** Their addresses do not say which project they are of; one that has not changed costs a 304. */
const OF_ANY_PROJECT = new Set<EndpointName>([
  'listProjects',
  'getStats',
  'getStorage',
  'compareRun',
  'explainRun',
  'getCluster',
  'listRunClusters',
  'judgeFailures',
  'getTest',
  'getTestSince',
  'listFlakeFactors',
  'getTestCase',
  'getFirstDifference',
]);
const OF_A_PROJECT = new Set<EndpointName>([
  'getProject',
  'getPerformance',
  'listTests',
  'listSlowTests',
  'listFlakyTests',
  'getFlakeCost',
  'listChangedTests',
  'listCauses',
  'listCauseTests',
  'listClusters',
  'getWindow',
  'listViews',
  'query',
  'listBranches',
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
  refreshChanged(projectId, runId);
  resting.set(key, false);
  setTimeout(() => {
    const more = resting.get(key);
    resting.delete(key);
    if (more) outdate(projectId, runId);
  }, OUTDATE_EVERY_MS);
};

const refreshChanged = (projectId: number, runId: number | null): void => {
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
