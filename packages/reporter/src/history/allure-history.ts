import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { SubmittedCase } from '@assay/contract';
import { runFigures } from '@assay/contract/outcome';
import { type HistoryRun, deliveryOf, hashOf } from './history-run.ts';

interface Item {
  readonly status?: string;
  readonly statusDetails?: string;
  /** The run that it was in, where the adapter knew. */
  readonly reportUrl?: string;
  readonly time?: { readonly start?: number; readonly duration?: number };
}

interface PastResult extends Item {
  readonly key: string;
  readonly startMs: number;
}

interface Test {
  readonly title: string;
  readonly location: string | null;
}

const STATUSES: Readonly<Record<string, string>> = {
  passed: 'passed',
  skipped: 'skipped',
  failed: 'failed',
  broken: 'failed',
};

/** Where a report of Allure keeps the past of its tests; null when a folder is no such report. */
export const findAllureHistory = async (folder: string): Promise<string | null> => {
  for (const path of [join(folder, 'history.json'), join(folder, 'history', 'history.json')]) {
    const history = await readJson(path);
    if (
      history !== null &&
      Object.values(history).some((test) => Array.isArray((test as { items?: unknown })?.items))
    ) {
      return path;
    }
  }
  return null;
};

export interface AllureHistory {
  readonly runs: readonly HistoryRun[];
  /** How many tests have a past but no name: they are in no run any more. */
  readonly nameless: number;
}

/**
 * The runs before the one that a report of Allure shows, the oldest first. Allure keeps the past by test, and the last few
 * results of each: results with the address of one run are of one, and of the others those between which no test repeats.
 */
export const readAllureHistory = async (path: string, projectName: string): Promise<AllureHistory> => {
  const history = (await readJson(path)) ?? {};
  const report = basename(dirname(path)) === 'history' ? dirname(dirname(path)) : dirname(path);
  const tests = await readTests(join(report, 'data', 'test-cases'));
  const results: PastResult[] = [];
  let nameless = 0;
  for (const [key, value] of Object.entries(history)) {
    if (!tests.has(key)) {
      nameless++;
      continue;
    }
    for (const item of ((value as { items?: unknown }).items ?? []) as Item[]) {
      const startMs = item?.time?.start;
      if (typeof startMs === 'number' && startMs > 0) results.push({ ...item, key, startMs });
    }
  }
  const runs = groupByRun(results.sort((a, b) => a.startMs - b.startMs)).map((group): HistoryRun => {
    const startMs = group[0]!.startMs;
    const testCases = group.map((result) => caseOf(result, tests.get(result.key)!));
    const { totalTests, passedTests, failedTests, skippedTests } = runFigures(testCases);
    const ended = group.map(({ startMs: start, time }) => start + (time?.duration ?? 0));
    return {
      id: hashOf(`allure ${startMs} ${group[0]!.key}`),
      name: new Date(startMs).toISOString(),
      load: async () => ({
        ok: true,
        warnings: [],
        deliveries: [
          deliveryOf({
            projectName,
            status: failedTests > 0 ? 'failed' : 'passed',
            startTime: new Date(startMs).toISOString(),
            duration: Math.max(...ended) - startMs,
            totalTests,
            passedTests,
            failedTests,
            skippedTests,
            metadata: { history: { from: 'Allure', url: group[0]!.reportUrl ?? null } },
            testCases,
          }),
        ],
      }),
    };
  });
  return { runs, nameless };
};

const groupByRun = (results: readonly PastResult[]): PastResult[][] => {
  const named = new Map<string, PastResult[]>();
  const groups: PastResult[][] = [];
  let current: PastResult[] = [];
  let seen = new Set<string>();
  for (const result of results) {
    if (result.reportUrl) {
      named.set(result.reportUrl, [...(named.get(result.reportUrl) ?? []), result]);
      continue;
    }
    if (seen.has(result.key)) {
      groups.push(current);
      current = [];
      seen = new Set();
    }
    current.push(result);
    seen.add(result.key);
  }
  if (current.length > 0) groups.push(current);
  return [...groups, ...named.values()].sort((a, b) => a[0]!.startMs - b[0]!.startMs);
};

const caseOf = ({ status = 'unknown', statusDetails, time }: PastResult, { title, location }: Test): SubmittedCase => ({
  title,
  status: STATUSES[status] ?? 'failed',
  ...(location === null ? {} : { location }),
  ...(typeof time?.duration === 'number' ? { duration: Math.max(0, time.duration) } : {}),
  ...(typeof statusDetails === 'string' && status !== 'passed' ? { error: statusDetails } : {}),
});

/** Of the run that the report shows, by what the history knows them by. */
const readTests = async (folder: string): Promise<ReadonlyMap<string, Test>> => {
  const tests = new Map<string, Test>();
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.json')) continue;
    const test = await readJson(join(folder, name));
    const {
      historyId,
      name: title,
      labels,
    } = (test ?? {}) as { historyId?: unknown; name?: unknown; labels?: unknown };
    if (typeof historyId !== 'string' || typeof title !== 'string') continue;
    const known = (Array.isArray(labels) ? labels : []) as { name?: unknown; value?: unknown }[];
    const of = (label: string): string[] =>
      known.flatMap(({ name, value }) => (name === label && typeof value === 'string' && value !== '' ? [value] : []));
    const suites = ['parentSuite', 'suite', 'subSuite'].flatMap(of);
    const [file] = [...of('testClass'), ...of('package')];
    tests.set(historyId, {
      title: [...suites, title].join(' › ').slice(0, 1_000),
      location: file?.slice(0, 4_000) ?? null,
    });
  }
  return tests;
};

const readJson = async (path: string): Promise<Record<string, unknown> | null> => {
  try {
    const read: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};
