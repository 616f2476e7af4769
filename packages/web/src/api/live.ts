import type { EndpointName, HelloEvent, ProjectEvent, RunEvent } from '@assay/contract';
import type { Query } from '@tanstack/react-query';
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

/** Calls `onReplaced` when the service has another data directory. */
export const startLiveUpdates = (onReplaced: () => void): void => {
  let installation: string | null = null;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const greet = (hello: HelloEvent): void => {
    const before = installation;
    installation = hello.installation;
    if (before !== null) void checkVersion();
    if (before !== null && before !== installation) onReplaced();
    // Events that came before the stream was open are missed, also while a page loads.
    else refreshAll();
    setConnection('live');
  };
  const stream = openSharedEventStream((message) => {
    if (message.type !== 'lost') {
      clearTimeout(silence);
      silence = undefined;
    }
    if (message.type === 'hello') greet(JSON.parse(message.data) as HelloEvent);
    else if (message.type === 'run') {
      const { projectId, testRunId } = JSON.parse(message.data) as RunEvent;
      refreshChanged(projectId, testRunId);
    } else if (message.type === 'project') refreshChanged((JSON.parse(message.data) as ProjectEvent).projectId, null);
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
  if (document.visibilityState === 'visible') refresh('all', () => true);
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

const refreshChanged = (projectId: number, runId: number | null): void =>
  refresh(`${projectId} ${runId}`, ({ queryKey }) => {
    const [name, input] = queryKey as [EndpointName, { params?: { id?: number } } | undefined];
    const id = input?.params?.id;
    if (OF_ANY_PROJECT.has(name)) return true;
    if (OF_A_PROJECT.has(name)) return id === projectId;
    return OF_A_RUN.has(name) && (runId === null || id === runId);
  });

/** A run that is still going tells of itself every moment; asking this often is enough to follow it. */
const REST_MS = 1_500;
const resting = new Map<string, boolean>();

/**
 * At once, and again after a rest if more was told meanwhile, or if a first answer was on its way: that may be from before
 * the change, and such a request is not sent again until it is answered.
 */
const refresh = (what: string, isOutdated: (query: Query) => boolean): void => {
  if (resting.has(what)) {
    resting.set(what, true);
    return;
  }
  const isFirst = (query: Query): boolean => query.state.data === undefined && isOutdated(query);
  resting.set(what, queryClient.isFetching({ predicate: isFirst }) > 0);
  void queryClient.invalidateQueries({ predicate: isOutdated });
  setTimeout(() => {
    const more = resting.get(what);
    resting.delete(what);
    if (more) refresh(what, isOutdated);
  }, REST_MS);
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
