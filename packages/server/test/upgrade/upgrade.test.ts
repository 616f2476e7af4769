import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunDetails, errorCause, runFigures } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server.ts';
import { createSender, signIn } from './fill-installation.ts';
import { type Answers, SECRET, unpackInstallation } from './installation.ts';

const INSTALLATIONS = readdirSync(import.meta.dirname).flatMap((file) =>
  file.endsWith('.zst') ? file.slice(0, -'.zst'.length) : [],
);

/** Fields that a later version may leave out, or say anew: how it stores things, and when it was asked. */
const LEFT_OUT: readonly RegExp[] = [
  /^\/api\/admin\/stats: (?:storageSizeOnDisk|databaseSizeOnDisk)$/,
  /^\/api\/admin\/storage: .*\.databaseBytes$/,
  // Lists of runs have no metadata any more.
  /^\/api\/projects\S*: (?:.*\.)?(?:latestRun|testRuns\.\d+)\.metadata$/,
  /^\/api\/admin\/cleanup\S*: (?:databaseBytes|startedBefore)$/,
  // Causes of errors say more now.
  /^\/api\/tests\/\d+\S*: errors\.\d+\.message$/,
  // The first run of a branch is compared with the default branch now.
  /^\/api\/test-runs\/(?:3|48)\/comparison: (?:comparedWith|usualDuration|addedTests|removedTests|fixed)/,
  // They are of the default branch now.
  /^\/api\/projects\?recent=\d+: \d+\.recentRuns/,
  // Skipped results have no part in durations any more.
  /: (?:.*\.)?(?:avg|p90)(?:Test)?Duration$/,
  /^\/api\/projects\/\d+\/slow-tests/,
];

/** Signing in to ask is an entry of the audit log itself. */
const withoutSignIns = (answer: unknown): unknown =>
  (answer as { action: string }[]).filter(({ action }) => action !== 'session.open');

/** Flaky tests are in another order now. */
const byId = (answer: unknown): unknown => (answer as { id: number }[]).toSorted((a, b) => a.id - b.id);

const comparable = (address: string, answer: unknown): unknown => {
  if (address === '/api/admin/audit') return withoutSignIns(answer);
  return address.endsWith('/flaky-tests') ? byId(answer) : answer;
};

/**
 * What of a recorded answer is missing or different now, as lines of paths and values. Fields that were added since
 * do not count.
 */
const differences = (address: string, before: unknown, now: unknown, path = ''): string[] => {
  const found = differencesOf(address, before, now, path);
  // Few of all values are different, and patterns take long.
  return found.length === 0 || LEFT_OUT.some((pattern) => pattern.test(`${address}: ${path}`)) ? [] : found;
};

const differencesOf = (address: string, before: unknown, now: unknown, path: string): string[] => {
  if (before !== null && typeof before === 'object' && now !== null && typeof now === 'object') {
    const lengths =
      Array.isArray(before) && Array.isArray(now) && before.length !== now.length
        ? [`${address}: ${path}.length ${before.length} → ${now.length}`]
        : [];
    const fields = Object.entries(before).flatMap(([name, value]) =>
      differences(address, value, (now as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`),
    );
    return [...lengths, ...fields];
  }
  return Object.is(before, now) ? [] : [`${address}: ${path} ${JSON.stringify(before)} → ${JSON.stringify(now)}`];
};

describe.each(INSTALLATIONS)('an installation of version %s', (name) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-upgrade-'));
  let server: TestServer;
  let answers: Answers;
  let get: (address: string) => Promise<unknown>;
  beforeAll(async () => {
    answers = unpackInstallation(name, dataDir);
    server = await startTestServer({ dataDir, databaseUrl: null, authEnabled: true, authSecrets: [SECRET] });
    ({ get } = createSender(server.url, { cookie: await signIn(server.url) }));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('opens and keeps every answer', async () => {
    const found: string[] = [];
    for (const [address, answer] of Object.entries(answers)) {
      found.push(...differences(address, comparable(address, answer), comparable(address, await get(address))));
    }
    expect(Object.keys(answers).length).toBeGreaterThan(300);
    expect(found.slice(0, 20)).toEqual([]);
  });

  it('finds the causes of its failures', async () => {
    const wholeRuns = Object.keys(answers).filter((address) => /^\/api\/test-runs\/\d+\?details=false$/.test(address));
    const failures = async () =>
      ((await Promise.all(wholeRuns.map(get))) as RunDetails[])
        .flatMap(({ testCases }) => testCases)
        .filter(({ status, error }) => status === 'failed' && error !== null);
    const expected = (await failures()).map(({ error }) => errorCause(error!));
    expect(expected.length).toBeGreaterThan(0);
    await expect.poll(async () => (await failures()).map(({ cause }) => cause)).toEqual(expected);
  });

  it('has figures of durations without what was skipped', async () => {
    const wholeRuns = Object.keys(answers).filter((address) => /^\/api\/test-runs\/\d+\?details=false$/.test(address));
    let skipped = 0;
    for (const address of wholeRuns) {
      const run = (await get(address)) as RunDetails;
      const { avgTestDuration, p90TestDuration } = runFigures(run.testCases);
      expect(run, address).toMatchObject({ avgTestDuration, p90TestDuration });
      skipped += run.testCases.filter(({ status, duration }) => status === 'skipped' && duration !== null).length;
    }
    expect(skipped).toBeGreaterThan(0);
  });
});
