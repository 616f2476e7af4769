import { once } from 'node:events';
import { type WriteStream, createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** What each format looks like with many results, one test in ten failed: what stands around the tests, and one test. */
interface Shape {
  readonly file: string;
  readonly start: string | ((results: number) => string);
  readonly between?: string;
  readonly end: string | ((results: number) => string);
  test(at: number): string | Buffer;
}

const TRACE =
  'Error: expected 200, got 502\n    at pay (/home/ci/shop/src/pay.ts:12:5)\n    at checkout (/home/ci/shop/src/checkout.ts:40:9)';
const range = (length: number): number[] => Array.from({ length }, (_, at) => at);
/** Every tenth test. */
export const failed = (at: number): boolean => at % 10 === 0;
const title = (at: number): string => `pays by card with voucher number ${at}`;
const file = (at: number): string => `/home/ci/shop/tests/checkout-${Math.floor(at / 50)}.spec.ts`;
const suite = (at: number): string => `org.shop.checkout.Checkout${Math.floor(at / 50)}Test`;
const json = (value: unknown): string => JSON.stringify(value);

const mochaTest = (at: number) => ({
  title: title(at),
  fullTitle: `checkout ${title(at)}`,
  file: file(at),
  duration: 12,
  currentRetry: 0,
  speed: 'fast',
  err: failed(at) ? { message: 'expected 200, got 502', stack: TRACE } : {},
});

const blobProject = (results: number) => ({
  name: 'chromium',
  suites: Array.from({ length: Math.ceil(results / 50) }, (_, suiteAt) => ({
    title: `checkout-${suiteAt}.spec.ts`,
    entries: Array.from({ length: Math.min(50, results - suiteAt * 50) }, (_test, testAt) => {
      const at = suiteAt * 50 + testAt;
      const location = { file: `checkout-${suiteAt}.spec.ts`, line: testAt + 1, column: 3 };
      return {
        title: title(at),
        testId: `t${at}`,
        location,
        retries: 0,
        tags: [],
        repeatEachIndex: 0,
        annotations: [],
      };
    }),
  })),
});

/** A packet of subunit 2 with a test, its state and a time. */
const packet = (at: number, state: number): Buffer => {
  const id = Buffer.from(`${suite(at)}.${title(at)}`);
  const body = Buffer.alloc(3 + 2 + 4 + 1 + 2 + id.length);
  body[0] = 0xb3;
  body.writeUInt16BE(0x2000 | 0x200 | 0x800 | state, 1);
  body.writeUInt16BE(0x4000 | (body.length + 4), 3);
  body.writeUInt32BE(1_772_600_767, 5);
  body[9] = 0;
  body.writeUInt16BE(0x4000 | id.length, 10);
  id.copy(body, 12);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([body, sum]);
};

export const SHAPES: Readonly<Record<string, Shape>> = {
  'JUnit XML': {
    file: 'junit.xml',
    start: '<testsuites><testsuite name="shop" timestamp="2026-03-04T05:06:07">',
    end: '</testsuite></testsuites>',
    test: (at) =>
      `<testcase classname="${suite(at)}" name="${title(at)}" time="0.012">${failed(at) ? `<failure message="expected 200, got 502">${TRACE}</failure>` : ''}</testcase>\n`,
  },
  TestNG: {
    file: 'testng-results.xml',
    start:
      '<testng-results><suite name="s" started-at="2026-03-04T05:06:07Z" duration-ms="900"><test name="t"><class name="org.shop.CheckoutTest">',
    end: '</class></test></suite></testng-results>',
    test: (at) =>
      `<test-method name="${title(at)}" status="${failed(at) ? 'FAIL' : 'PASS'}" duration-ms="12" started-at="2026-03-04T05:06:07Z">${failed(at) ? `<exception class="Error"><message>expected 200</message><full-stacktrace><![CDATA[${TRACE}]]></full-stacktrace></exception>` : ''}</test-method>\n`,
  },
  TRX: {
    file: 'results.trx',
    start: '<TestRun><Times start="2026-03-04T05:06:07Z" finish="2026-03-04T05:16:07Z"/><Results>',
    end: '</Results></TestRun>',
    test: (at) =>
      `<UnitTestResult testId="t${at}" testName="${suite(at)}.${title(at)}" duration="00:00:00.0120000" outcome="${failed(at) ? 'Failed' : 'Passed'}">${failed(at) ? `<Output><ErrorInfo><Message>expected 200</Message><StackTrace>${TRACE}</StackTrace></ErrorInfo></Output>` : ''}</UnitTestResult>\n`,
  },
  NUnit: {
    file: 'nunit.xml',
    start:
      '<test-run result="Failed" start-time="2026-03-04 05:06:07Z" duration="900"><test-suite type="TestFixture" name="a" site="Child">',
    end: '</test-suite></test-run>',
    test: (at) =>
      `<test-case name="${title(at)}" classname="${suite(at)}" result="${failed(at) ? 'Failed' : 'Passed'}" duration="0.012">${failed(at) ? `<failure><message>expected 200</message><stack-trace>${TRACE}</stack-trace></failure>` : ''}</test-case>\n`,
  },
  'xUnit.net': {
    file: 'xunit.xml',
    start: '<assemblies><assembly name="Shop" run-date="2026-03-04" run-time="05:06:07" time="900"><collection>',
    end: '</collection></assembly></assemblies>',
    test: (at) =>
      `<test name="${suite(at)}.${title(at)}" type="${suite(at)}" time="0.012" result="${failed(at) ? 'Fail' : 'Pass'}">${failed(at) ? `<failure><message>expected 200</message><stack-trace>${TRACE}</stack-trace></failure>` : ''}</test>\n`,
  },
  'Robot Framework': {
    file: 'output.xml',
    start: '<robot generator="Robot 7.3"><suite name="Shop" source="/home/ci/shop/tests/shop.robot">',
    end: '</suite></robot>',
    test: (at) =>
      `<test id="t${at}" name="${title(at)}" line="8"><kw name="Log"><arg>nine</arg><status status="PASS" start="2026-03-04T05:06:07" elapsed="0.001"/></kw><status status="${failed(at) ? 'FAIL' : 'PASS'}" start="2026-03-04T05:06:07" elapsed="0.012">${failed(at) ? TRACE : ''}</status></test>\n`,
  },
  CTRF: {
    file: 'ctrf.json',
    start:
      '{"reportFormat":"CTRF","results":{"tool":{"name":"playwright"},"summary":{"start":1772600767000,"stop":1772600867000},"tests":[',
    between: ',\n',
    end: ']}}',
    test: (at) =>
      json({
        name: title(at),
        status: failed(at) ? 'failed' : 'passed',
        duration: 12,
        suite: ['checkout'],
        filePath: file(at),
        ...(failed(at) ? { message: 'expected 200', trace: TRACE } : {}),
      }),
  },
  'Playwright JSON': {
    file: 'playwright.json',
    start:
      '{"config":{"rootDir":"/home/ci/shop/tests"},"errors":[],"stats":{"startTime":"2026-03-04T05:06:07Z","duration":900},"suites":[{"title":"checkout.spec.ts","file":"checkout.spec.ts","specs":[',
    between: ',\n',
    end: ']}]}',
    test: (at) =>
      json({
        title: title(at),
        ok: !failed(at),
        tags: [],
        file: 'checkout.spec.ts',
        line: at,
        column: 3,
        tests: [
          {
            timeout: 30_000,
            annotations: [],
            expectedStatus: 'passed',
            projectName: 'chromium',
            results: [
              {
                workerIndex: 0,
                status: failed(at) ? 'failed' : 'passed',
                duration: 12,
                errors: failed(at) ? [{ message: TRACE }] : [],
                stdout: [],
                stderr: [],
                retry: 0,
                startTime: '2026-03-04T05:06:07Z',
                attachments: [],
              },
            ],
            status: failed(at) ? 'unexpected' : 'expected',
          },
        ],
      }),
  },
  'Playwright blob': {
    file: 'report.jsonl',
    start: (results) =>
      [
        { method: 'onBlobReportMetadata', params: { version: 2 } },
        { method: 'onConfigure', params: { config: { rootDir: '/home/ci/shop/tests' } } },
        { method: 'onProject', params: { project: blobProject(results) } },
      ]
        .map((event) => `${json(event)}\n`)
        .join(''),
    end: `${json({ method: 'onEnd', params: { result: { status: 'failed', startTime: 1_772_600_767_000, duration: 900 } } })}\n`,
    test: (at) => {
      const testId = `t${at}`;
      const result = { id: `r${at}`, retry: 0, startTime: 1_772_600_767_000 };
      const ended = {
        id: `r${at}`,
        duration: 12,
        status: failed(at) ? 'failed' : 'passed',
        errors: failed(at) ? [{ message: TRACE }] : [],
      };
      return [
        { method: 'onTestBegin', params: { testId, result } },
        {
          method: 'onStepBegin',
          params: {
            testId,
            resultId: result.id,
            step: { id: 's', title: 'click', category: 'pw:api', startTime: 1_772_600_767_000 },
          },
        },
        { method: 'onStepEnd', params: { testId, resultId: result.id, step: { id: 's', duration: 3 } } },
        { method: 'onTestEnd', params: { test: { testId, expectedStatus: 'passed' }, result: ended } },
      ]
        .map((event) => `${json(event)}\n`)
        .join('');
    },
  },
  'Jest or Vitest JSON': {
    file: 'jest.json',
    start:
      '{"numTotalTests":1,"success":false,"startTime":1772600767000,"testResults":[{"name":"/home/ci/shop/tests/a.test.js","status":"failed","assertionResults":[',
    between: ',\n',
    end: ']}]}',
    test: (at) =>
      json({
        ancestorTitles: ['checkout'],
        duration: 12,
        failureMessages: failed(at) ? [TRACE] : [],
        fullName: `checkout ${title(at)}`,
        location: { column: 5, line: 3 },
        status: failed(at) ? 'failed' : 'passed',
        title: title(at),
      }),
  },
  'Mocha JSON': {
    file: 'mocha.json',
    start: '{"stats":{"suites":1,"start":"2026-03-04T05:06:07Z","duration":900},"pending":[],"passes":[],"tests":[',
    between: ',\n',
    end: (results) => `],"failures":${json(range(results).filter(failed).map(mochaTest))}}`,
    test: (at) => json(mochaTest(at)),
  },
  mochawesome: {
    file: 'mochawesome.json',
    start:
      '{"stats":{"start":"2026-03-04T05:06:07Z","duration":900,"testsRegistered":1},"results":[{"title":"","fullFile":"/home/ci/shop/tests/a.js","suites":[{"title":"checkout","tests":[',
    between: ',\n',
    end: ']}]}]}',
    test: (at) =>
      json({
        ...mochaTest(at),
        state: failed(at) ? 'failed' : 'passed',
        pass: !failed(at),
        fail: failed(at),
        err: failed(at) ? { message: 'expected 200', estack: TRACE } : {},
      }),
  },
  'Cucumber JSON': {
    file: 'cucumber.json',
    start: '[{"uri":"features/checkout.feature","name":"Checkout","elements":[',
    between: ',\n',
    end: ']}]',
    test: (at) =>
      json({
        id: `checkout;${at}`,
        keyword: 'Scenario',
        line: 6,
        name: title(at),
        type: 'scenario',
        steps: [
          {
            keyword: 'Given ',
            name: 'a cart',
            result: {
              status: failed(at) ? 'failed' : 'passed',
              duration: 9_393_365,
              ...(failed(at) ? { error_message: TRACE } : {}),
            },
          },
        ],
      }),
  },
  'RSpec JSON': {
    file: 'rspec.json',
    start: '{"version":"3.12.0","summary":{"duration":900,"example_count":1},"examples":[',
    between: ',\n',
    end: ']}',
    test: (at) =>
      json({
        id: `./spec/a_spec.rb[1:${at}]`,
        description: title(at),
        full_description: `Checkout ${title(at)}`,
        status: failed(at) ? 'failed' : 'passed',
        file_path: './spec/a_spec.rb',
        line_number: at,
        run_time: 0.012,
        ...(failed(at) ? { exception: { class: 'Error', message: 'expected 200', backtrace: TRACE.split('\n') } } : {}),
      }),
  },
  'Go test JSON': {
    file: 'go-test.json',
    start: '',
    end: `${json({ Action: 'fail', Package: 'shop/checkout', Elapsed: 900 })}\n`,
    test: (at) => {
      const of = { Time: '2026-03-04T05:06:07Z', Package: 'shop/checkout', Test: `TestPays${at}` };
      return [
        { Action: 'run', ...of },
        ...(failed(at) ? [{ Action: 'output', ...of, Output: `    ${TRACE}\n` }] : []),
        { Action: failed(at) ? 'fail' : 'pass', ...of, Elapsed: 0.012 },
      ]
        .map((event) => `${json(event)}\n`)
        .join('');
    },
  },
  TAP: {
    file: 'results.tap',
    start: 'TAP version 13\n',
    end: (results) => `1..${results}\n`,
    test: (at) =>
      failed(at)
        ? `not ok ${at + 1} - ${title(at)}\n  ---\n  message: "expected 200"\n  ...\n`
        : `ok ${at + 1} - ${title(at)}\n`,
  },
  subunit: {
    file: 'results.subunit',
    start: '',
    end: '',
    test: (at) => Buffer.concat([packet(at, 2), packet(at, failed(at) ? 6 : 3)]),
  },
};

/** Writes a report with so many results; returns what to import. */
export const writeLargeReport = async (format: string, results: number, folder: string): Promise<string> => {
  const { file, start, between = '', end, test } = SHAPES[format]!;
  const path = join(folder, file);
  const stream = createWriteStream(path);
  const write = async (text: string | Buffer): Promise<void> => {
    if (!stream.write(text)) await once(stream, 'drain');
  };
  await write(typeof start === 'string' ? start : start(results));
  for (let at = 0; at < results; at++) {
    const one = test(at);
    await write(at === 0 || between === '' ? one : `${between}${one.toString()}`);
  }
  await closed(stream, typeof end === 'string' ? end : end(results));
  return path;
};

const closed = (stream: WriteStream, end: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.on('error', reject).end(end, () => resolve());
  });

/** Allure writes a file for each result. */
export const writeAllureResults = (results: number, folder: string): string => {
  const path = join(folder, 'allure-results');
  mkdirSync(path);
  for (let at = 0; at < results; at++) {
    const result = {
      uuid: `u${at}`,
      historyId: `h${at}`,
      name: title(at),
      labels: [{ name: 'suite', value: 'checkout' }],
      status: failed(at) ? 'failed' : 'passed',
      statusDetails: failed(at) ? { message: 'expected 200', trace: TRACE } : {},
      start: 1_772_600_767_000,
      stop: 1_772_600_767_012,
    };
    writeFileSync(join(path, `${at}-result.json`), json(result));
  }
  return path;
};
