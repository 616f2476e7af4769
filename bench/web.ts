import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient, type Submission } from '@assay/contract';
import { createStory } from '@assay/testkit';
import { type Browser, type Page, chromium } from '@playwright/test';
import { CHROMIUM_FLAGS, findOrInstallChromium } from '../scripts/chromium.ts';
import { type Row, milliseconds, percentile } from './figures.ts';

const LARGE_RUN_CASES = 10_000;
const MANY_RUNS = 1_000;
const TIMES = { firstRunAt: Date.UTC(2026, 0, 5), intervalMs: 3_600_000 };
const WORKERS = 8;
const VISITS = 5;
const SCROLL_STEPS = 60;
const LONG_TASK_MS = 50;
const SCRIPT_LIMIT_BYTES = 170_000;
const INTERACTIVE_LIMIT_MS = 1_000;
const TIMELINE_LIMIT_MS = 300;
const QUIET_MS = 300;

/** How fast the interface is in a real browser; `dist` is where its files are. */
export const webRows = async (url: string, dist: string): Promise<Row[]> => {
  const client = createClient({ baseUrl: url });
  const runId = await storeLargeRun(client);
  const projectId = await storeManyRuns(client);
  const browser = await chromium.launch({ executablePath: await findOrInstallChromium(), args: CHROMIUM_FLAGS });
  try {
    return [
      ...(await scriptRows(browser, url, dist)),
      ...(await pageRows(browser, {
        what: `Run page with ${LARGE_RUN_CASES.toLocaleString('en')} cases`,
        page: `${url}/test-runs/${runId}`,
        data: `/api/test-runs/${runId}?`,
      })),
      ...(await pageRows(browser, {
        what: `Project page with ${MANY_RUNS.toLocaleString('en')} runs`,
        page: `${url}/projects/${projectId}`,
        data: `/api/projects/${projectId}?`,
      })),
      await timelineRow(browser, url, runId),
    ];
  } finally {
    await browser.close();
  }
};

const storeLargeRun = async (client: Client): Promise<number> => {
  const story = createStory({ seed: 'web', projectName: 'large', tests: LARGE_RUN_CASES, ...TIMES });
  const { testRunId } = await client.submitRun({ body: inTime(story.run(0)) });
  return testRunId;
};

/** With the starts of its results, one after the other on each worker. */
const inTime = (run: Submission): Submission => {
  const freeAt = Array.from({ length: WORKERS }, () => TIMES.firstRunAt);
  const testCases = run.testCases!.map((testCase, at) => {
    const lane = at % WORKERS;
    const startTime = new Date(freeAt[lane]!).toISOString();
    freeAt[lane]! += (testCase.duration ?? 0) + 5;
    return { ...testCase, startTime, lane };
  });
  return { ...run, testCases };
};

const storeManyRuns = async (client: Client): Promise<number> => {
  const story = createStory({ seed: 'web runs', projectName: 'many', tests: 20, ...TIMES });
  let projectId = 0;
  for (let n = 0; n < MANY_RUNS; n++) ({ projectId } = await client.submitRun({ body: story.run(n) }));
  return projectId;
};

/** What a first visit loads before anything is drawn, as gzip would send it. */
const scriptRows = async (browser: Browser, url: string, dist: string): Promise<Row[]> => {
  const page = await browser.newPage();
  const scripts = new Set<string>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.add(new URL(response.url()).pathname);
  });
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(QUIET_MS);
  await page.close();
  const bytes = [...scripts].reduce((sum, path) => sum + statSync(join(dist, `${path}.gz`)).size, 0);
  const drawn = [...scripts].some((path) => readFileSync(join(dist, path), 'utf8').includes('uPlot'));
  return [
    {
      what: 'First load, script as gzip',
      measured: `${(bytes / 1000).toFixed(0)} KB`,
      limit: '170 KB',
      ok: bytes <= SCRIPT_LIMIT_BYTES,
    },
    { what: 'Charts loaded with it', measured: drawn ? 'yes' : 'no', limit: 'no', ok: !drawn },
  ];
};

interface Visit {
  readonly what: string;
  readonly page: string;
  /** How the path of the answer that the page waits for starts. */
  readonly data: string;
}

const pageRows = async (browser: Browser, visit: Visit): Promise<Row[]> => {
  const interactive: number[] = [];
  const longest: number[] = [];
  for (let n = 0; n < VISITS; n++) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(WATCH_LONG_TASKS);
    await page.goto(visit.page);
    interactive.push(await untilInteractive(page, visit.data));
    longest.push(await longestTaskWhileScrolling(page));
    await page.close();
  }
  const ready = percentile(interactive, 50);
  const worst = Math.max(...longest);
  return [
    {
      what: `${visit.what}: interactive after its data`,
      measured: milliseconds(ready),
      limit: '1,000 ms',
      ok: ready <= INTERACTIVE_LIMIT_MS,
    },
    {
      what: `${visit.what}: longest task while scrolling`,
      measured: worst === 0 ? `none over ${LONG_TASK_MS} ms` : milliseconds(worst),
      limit: `${LONG_TASK_MS} ms`,
      ok: worst <= LONG_TASK_MS,
    },
  ];
};

/** Runs in the page. Chromium reports tasks of 50 ms and more. */
const WATCH_LONG_TASKS = `
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ start: startTime, end: startTime + duration });
  }).observe({ type: 'longtask', buffered: true });
`;

/** From the last byte of the data until rows are there and nothing has kept the page from answering for a while. */
const untilInteractive = async (page: Page, data: string): Promise<number> => {
  await page.locator('li[data-index]').first().waitFor();
  const drawn = await page.evaluate<number>('performance.now()');
  await page.waitForTimeout(QUIET_MS);
  const arrived = await page.evaluate<number>(
    `performance.getEntriesByType('resource').find(({ name }) => name.includes('${data}')).responseEnd`,
  );
  const busyUntil = await page.evaluate<number>('Math.max(0, ...longTasks.map(({ end }) => end))');
  return Math.max(drawn, busyUntil) - arrived;
};

const longestTaskWhileScrolling = async (page: Page): Promise<number> => {
  await page.evaluate('void (longTasks = [])');
  await page.mouse.move(700, 500);
  for (let step = 0; step < SCROLL_STEPS; step++) {
    await page.mouse.wheel(0, step % 10 === 9 ? 20_000 : 600);
    await page.waitForTimeout(16);
  }
  await page.waitForTimeout(QUIET_MS);
  return page.evaluate<number>('Math.max(0, ...longTasks.map(({ start, end }) => end - start))');
};

/** From the last byte of the run until its results are drawn over time. */
const timelineRow = async (browser: Browser, url: string, runId: number): Promise<Row> => {
  const drawn: number[] = [];
  for (let n = 0; n < VISITS; n++) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(WATCH_CANVAS);
    await page.goto(`${url}/test-runs/${runId}/timeline`);
    drawn.push(
      await page.evaluate<number>(
        `canvasDrawn.then((at) => at - performance.getEntriesByType('resource').find(({ name }) => name.includes('/api/test-runs/${runId}?')).responseEnd)`,
      ),
    );
    await page.close();
  }
  const median = percentile(drawn, 50);
  return {
    what: `Timeline of ${LARGE_RUN_CASES.toLocaleString('en')} results: drawn after its data`,
    measured: milliseconds(median),
    limit: milliseconds(TIMELINE_LIMIT_MS),
    ok: median <= TIMELINE_LIMIT_MS,
  };
};

/** Runs in the page: when the first frame with bars was shown. */
const WATCH_CANVAS = `
  window.canvasDrawn = new Promise((resolve) => {
    const look = () => {
      const canvas = document.querySelector('[aria-label="Results over time"] canvas');
      if (canvas?.width > 300) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    look();
  });
`;
