import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, draws, type Random } from '@assay/testkit';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readTrace } from '../../src/traces/read-trace.ts';
import { makePlaywrightReports, PLAYWRIGHT_REPORTS_TIMEOUT_MS } from '../playwright-reports.ts';
import { hostileText, mutateBytes, mutateValue } from '../robustness/mutate.ts';
import { checkReading, type Entries, newFolder, readTraceEntries, writeZip } from './trace-zip.ts';

const MUTATIONS = draws(75, 500);
const random = createRandom(process.env['ROBUSTNESS_SEED'] ?? 'traces');
const folder = newFolder();
afterAll(() => folder[Symbol.dispose]());

let entries: Entries;
beforeAll(async () => {
  const { traces } = await makePlaywrightReports(inject('chromium'));
  entries = await readTraceEntries(traces.find(({ title }) => title.startsWith('a page that fails'))!.file);
}, PLAYWRIGHT_REPORTS_TIMEOUT_MS);

test.each([true, false])('a real trace with any bytes changed has a reading (compressed: %s)', async (compress) => {
  const zip = readFileSync(await writeZip(folder, entries, compress));
  const file = join(folder.path, 'mutated.zip');
  let readable = 0;
  for (let n = 0; n < MUTATIONS; n++) {
    writeFileSync(file, mutateBytes(random.fork(`bytes ${compress} ${n}`), zip));
    const reading = await readTrace(file);
    checkReading(reading);
    readable += Number(reading.ok);
  }
  expect(readable).toBeGreaterThan(0);
});

test('a real trace with any values changed has a reading', async () => {
  for (let n = 0; n < MUTATIONS; n++) {
    checkReading(await readTrace(await writeZip(folder, mutateLines(random.fork(`values ${n}`)), false)));
  }
});

const mutateLines = (random: Random): Entries =>
  Object.fromEntries(
    Object.entries(entries).map(([name, content]) => [
      name,
      String(content).split('\n').map(mutateLine(random)).join('\n'),
    ]),
  );

const mutateLine =
  (random: Random) =>
  (line: string): string =>
    line === '' || random.chance(0.7) ? line : hostileText(mutateValue(random, JSON.parse(line)));
