import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type RunDetails, notRunText } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptIn } from './deliveries.ts';
import { PLAYWRIGHT_TIMEOUT_MS, configOf, runPlaywright } from './playwright-run.ts';
import { type Ended, type Project, createProject } from './project.ts';
import { type Service, sharedService } from './service.ts';

/** Few tests fail, and of a file the last, as far as outcomes allow it: after each that does, the others need a new worker. */
const SPEC = `
import { expect, test } from '@playwright/test';

test.describe('Cart', () => {
  test.describe('with items', () => {
    test('adds one', { tag: ['@smoke'], annotation: { type: 'issue', description: 'SHOP-1' } }, async () => {
      console.log('x'.repeat(50_000) + 'the end');
      console.error('a warning');
      await test.step('open', async () => {
        await test.step('find', async () => {});
      });
    });
  });
  test.skip('pays', () => {});
  test('is meant to fail', () => {
    test.fail();
    expect(1).toBe(2);
  });
});
test('is elsewhere', () => {
  test.skip(true, 'not today');
});
for (const size of ['small', 'large']) test('ships ' + size, () => {});

test.describe('In series', () => {
  test.describe.configure({ mode: 'serial' });
  test('first', () => {});
  test('second', ({}, info) => {
    expect(info.retry, 'needs a retry').toBe(1);
  });
  test('third', () => {});
});

test.describe.serial('Order', () => {
  test.describe.configure({ retries: 0 });
  test('is placed', () => {});
  test('is paid', async () => {
    test.setTimeout(200);
    await new Promise(() => {});
  });
  test('is sent', () => {});
  test.skip('is meant to be skipped', () => {});
  test('is received', () => {});
});
test.describe.serial('Return', () => {
  test('is asked for', async ({}, info) => {
    process.stdout.write('looking\\n');
    process.stderr.write('\\u001b[33mnot there\\u001b[39m\\n');
    process.stdout.write('looking again\\n');
    await info.attach('cart/"now".json', { body: '{"items": 0}', contentType: 'application/json' });
    await info.attach('_private', { body: 'for reporters', contentType: 'text/plain' });
    expect(['chair']).toEqual(['table']);
  });
  test('is paid back', () => {});
});

test.describe('Without a database', () => {
  test.describe.configure({ retries: 0 });
  test.beforeAll(() => {
    throw new Error('no database');
  });
  test('reads', () => {});
  test.describe('on a shelf', () => {
    test('writes', () => {});
  });
});
`;

const TESTS = {
  'tests/cart.spec.ts': SPEC,
  'tests/login.setup.ts': `
import { test } from '@playwright/test';
test('logs in', () => {
  test.fail();
});`,
  'tests/account.spec.ts': `
import { test } from '@playwright/test';
test('is shown', () => {});`,
};

const PROJECTS = `projects: [
  { name: 'api', testMatch: /cart/ },
  { name: 'setup', testMatch: /setup/, retries: 0 },
  { name: 'accounts', testMatch: /account/, dependencies: ['setup'] },
  { name: 'more', testMatch: /account/, dependencies: ['accounts'] },
]`;

describe('a run with every outcome', () => {
  let service: Service;
  let project: Project;
  let ended: Ended;
  let run: RunDetails;

  beforeAll(async () => {
    service = await sharedService();
    project = createProject({
      'playwright.config.ts': configOf(
        `retries: 1, workers: 2, use: { trace: 'retain-on-failure' }, ${PROJECTS}`,
        `['html', { open: 'never' }], ['blob'], ['monocart-reporter', { name: 'Shop', logging: 'off' }],`,
        [{ projectName: 'outcomes' }],
      ),
      ...TESTS,
    });
    writeFileSync(join(project.folder, 'summary.md'), '');
    ended = await runPlaywright(project, {
      ASSAY_URL: service.url,
      ASSAY_LABELS: 'html=The report',
      ASSAY_METADATA: '{"team": "carts"}',
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: 'https://github.example.org',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_RUN_ID: '77',
      GITHUB_JOB: 'e2e',
      GITHUB_REF: 'refs/pull/5/merge',
      GITHUB_HEAD_REF: 'carts',
      GITHUB_SHA: 'abc123',
      GITHUB_ACTOR: 'ada',
      GITHUB_STEP_SUMMARY: join(project.folder, 'summary.md'),
    });
    run = (await service.runsOf('outcomes'))[0]!;
  }, PLAYWRIGHT_TIMEOUT_MS);

  afterAll(() => project[Symbol.dispose]());

  const caseOf = (title: string) => run.testCases.find((testCase) => testCase.title === title)!;

  it('ends as Playwright ends without it, with one line', async () => {
    expect(ended.code).toBe(1);
    expect(ended.said).toEqual([`Assay: 8 passed, 4 failed, 1 flaky, 9 skipped ${service.url}/test-runs/${run.id}`]);
    expect(await keptIn(project.spoolDir)).toEqual([]);
  });

  it('has one case for each test, as it ended, with the retries it needed', () => {
    expect(run.testCases.map(({ title, status, retries }) => `${title}: ${status} ${retries}`).sort()).toEqual([
      'Cart › is meant to fail: passed 0',
      'Cart › pays: skipped 0',
      'Cart › with items › adds one: passed 0',
      'In series › first: passed 0',
      'In series › second: passed 1',
      'In series › third: passed 0',
      'Order › is meant to be skipped: skipped 0',
      'Order › is paid: timedOut 0',
      'Order › is placed: passed 0',
      'Order › is received: skipped 0',
      'Order › is sent: skipped 0',
      'Return › is asked for: failed 1',
      'Return › is paid back: skipped 0',
      'Without a database › on a shelf › writes: skipped 0',
      'Without a database › reads: failed 0',
      'is elsewhere: skipped 0',
      'is shown: skipped 0',
      'is shown: skipped 0',
      'logs in: failed 0',
      'ships large: passed 0',
      'ships small: passed 0',
    ]);
    expect(run).toMatchObject({
      status: 'failed',
      totalTests: 21,
      passedTests: 8,
      failedTests: 4,
      skippedTests: 9,
      flakyTests: 1,
    });
  });

  it('says of a test that did not run why and because of which, with a link to it', async () => {
    const told = run.testCases.flatMap(({ title, browser, status, notRun }) =>
      notRun ? [`${browser} ${title} ${status}: ${notRunText(notRun)}`] : [],
    );
    expect(told.toSorted()).toEqual([
      'accounts is shown skipped: Did not run because “logs in” failed, which its project depends on',
      'api Order › is received skipped: Did not run because “Order › is paid” failed before it in its serial group',
      'api Order › is sent skipped: Did not run because “Order › is paid” failed before it in its serial group',
      'api Return › is paid back skipped: Did not run because “Return › is asked for” failed before it in its serial group',
      'api Without a database › on a shelf › writes skipped: Did not run because a beforeAll hook failed: see “Without a database › reads”',
      'more is shown skipped: Did not run because “logs in” failed, which its project depends on',
    ]);
    for (const { id, notRun } of run.testCases) {
      if (!notRun) continue;
      const { notRun: linked } = await service.client.getTestCase({ params: { id } });
      const failed = run.testCases.find((one) => one.id === linked!.testCaseId);
      expect(failed).toMatchObject({ title: notRun.title, status: expect.stringMatching(/^(?:failed|timedOut)$/) });
    }
  });

  it('says where a test is, in which project, and what it is marked with', () => {
    expect(caseOf('Cart › with items › adds one')).toMatchObject({
      filePath: 'tests/cart.spec.ts',
      line: 6,
      browser: 'api',
      tags: ['@smoke'],
      annotations: [{ type: 'issue', description: 'SHOP-1' }],
    });
  });

  it('has steps inside of steps, with their kinds and times', () => {
    const { steps, slowestStep } = caseOf('Cart › with items › adds one');
    const open = steps!.find(({ title }) => title === 'open')!;
    expect(open).toMatchObject({ category: 'test.step', duration: expect.any(Number), startTime: expect.any(Number) });
    expect(open.steps).toMatchObject([{ title: 'find', category: 'test.step' }]);
    expect(slowestStep).toBe('find');
  });

  it('has every attempt with its error, worker and time', () => {
    const { attempts, error, startTime } = caseOf('In series › second');
    expect(error).toBeNull();
    expect(Date.parse(startTime!)).toBe((attempts![0] as { startTime: number }).startTime);
    expect(attempts).toMatchObject([
      { retry: 0, status: 'failed', worker: expect.any(Number), startTime: expect.any(Number) },
      { retry: 1, status: 'passed', duration: expect.any(Number) },
    ]);
    expect((attempts![0] as { error: string }).error).toContain('needs a retry');
    expect((attempts![1] as { error?: string }).error).toBeUndefined();
  });

  it('has errors with their colours and code frames', () => {
    const { error } = caseOf('Return › is asked for');
    expect(error).toContain('\u001b[');
    expect(stripVTControlCharacters(error!)).toMatch(/> 52 \| +expect\(\['chair'\]\)/);
    expect(caseOf('Order › is paid').error).toContain('Test timeout of 200ms exceeded');
    expect(caseOf('logs in').error).toBe('Expected to fail, but passed.');
    expect(caseOf('Without a database › reads').error).toContain('no database');
  });

  it('has what a test wrote, up to a limit that is told', () => {
    const [attempt] = caseOf('Cart › with items › adds one').attempts as { output: { text: string }[] }[];
    expect(attempt!.output).toEqual([
      { stream: 'stdout', text: expect.stringMatching(/^x+$/) },
      { stream: 'note', text: expect.stringMatching(/^… 3\d,\d{3} characters left out …$/) },
      { stream: 'stdout', text: expect.stringMatching(/^x+the end\n$/) },
      { stream: 'stderr', text: 'a warning\n' },
    ]);
    expect(attempt!.output.map(({ text }) => text).join('').length).toBeLessThan(17_000);
    const printed = [
      { stream: 'stdout', text: 'looking\n' },
      { stream: 'stderr', text: '\u001b[33mnot there\u001b[39m\n' },
      { stream: 'stdout', text: 'looking again\n' },
    ];
    expect(caseOf('Return › is asked for').attempts).toMatchObject([{ output: printed }, { output: printed }]);
  });

  it('has the reports that others made, by their labels, and traces of the attempts that have one', async () => {
    expect(run.reports.map(({ type, label }) => `${type}: ${label}`).sort()).toEqual([
      'blob: Blob Report',
      'html: The report',
      'monocart: Monocart Report',
    ]);
    const page = await fetch(`${service.url}/api/files/${run.reports.find(({ type }) => type === 'html')!.path}`);
    expect(await page.text()).toContain('<html');
    const { traces } = await service.client.getTestCase({ params: { id: caseOf('Return › is asked for').id } });
    expect(traces).toHaveLength(2);
    const passed = await service.client.getTestCase({ params: { id: caseOf('ships small').id } });
    expect(passed.traces).toEqual([]);
  });

  it('has the attachments of the attempts of tests that failed, but for traces and private ones', async () => {
    const attachmentsOf = async (title: string): Promise<string[]> => {
      const { attachments } = await service.client.getTestCase({ params: { id: caseOf(title).id } });
      return attachments.map(({ attempt, name, contentType }) => `${attempt} ${name} ${contentType}`);
    };
    expect(await attachmentsOf('Return › is asked for')).toEqual([
      '0 cart_"now".json application/json',
      '0 error-context text/markdown',
      '1 cart_"now".json application/json',
      '1 error-context text/markdown',
    ]);
    expect(await attachmentsOf('In series › second')).toEqual(['0 error-context text/markdown']);
    expect(await attachmentsOf('Cart › is meant to fail')).toEqual([]);
  });

  it('says what was tested, by the CI system and by the options', () => {
    expect(run).toMatchObject({ branch: 'carts', commit: 'abc123' });
    expect(run.metadata).toMatchObject({
      team: 'carts',
      scm: { author: 'ada', pullRequest: { number: 5, link: 'https://github.example.org/acme/shop/pull/5' } },
      ci: { provider: 'GitHub Actions', job: 'e2e', url: 'https://github.example.org/acme/shop/actions/runs/77' },
      playwright: { workers: 2, projects: ['api', 'setup', 'accounts', 'more'] },
    });
  });

  it('is told in the summary of the job', () => {
    const summary = readFileSync(join(project.folder, 'summary.md'), 'utf8');
    expect(summary).toContain('| 21 | 8 | 4 | 1 | 9 |');
    expect(summary).toContain('- Return › is asked for (api): Error: expect(received)');
    expect(summary).toContain(`(${service.url}/test-runs/${run.id})`);
  });

  it('ends at its maximum of failures, which is said of the tests that were left', async () => {
    using ending = createProject({
      'playwright.config.ts': configOf('maxFailures: 1, workers: 1', '', [{ projectName: 'maximum' }]),
      'tests/order.spec.ts': `
import { test } from '@playwright/test';
test('is placed', () => {
  throw new Error('no');
});
test('is paid', () => {});
test.describe.serial('Parcel', () => {
  test('is packed', () => {});
  test('is sent', () => {});
});`,
    });
    await runPlaywright(ending, { ASSAY_URL: service.url });
    const [{ testCases }] = (await service.runsOf('maximum')) as [RunDetails];
    expect(testCases.map(({ title, status, notRun }) => `${title}: ${status} ${notRun?.reason}`)).toEqual([
      'is placed: failed undefined',
      'is paid: skipped maxFailures',
      'Parcel › is packed: skipped maxFailures',
      'Parcel › is sent: skipped maxFailures',
    ]);
  });
});
