import { describe, expect, it, vi } from 'vitest';
import { caseOf, linesOf, readSample, readText } from './read-sample.ts';

describe('JUnit XML', () => {
  it('of Surefire has its reruns as attempts', async () => {
    const report = await readSample('junit-surefire.xml');
    expect(report).toMatchObject({
      format: 'JUnit XML',
      startTimeMs: Date.parse('2026-03-04T05:06:07.890Z'),
      durationMs: 1_234_500,
      status: null,
      problems: [],
    });
    expect(linesOf(report)).toEqual([
      'passed 0 org.shop.CartTest | takesTenPerCentOff',
      'passed 2 org.shop.CartTest | survivesASlowNetwork',
      'failed 2 org.shop.CartTest | addsUp',
      'skipped 0 org.shop.CartTest | paysByCheque',
      'timedOut 0 org.shop.CartTest | waitsForTheBank',
      'failed 0 org.shop.StockTest | org.shop.StockTest',
    ]);
    expect(caseOf(report, 'survivesASlowNetwork').attempts).toEqual([
      {
        retry: 0,
        status: 'failed',
        duration: null,
        error: expect.stringContaining('expected: <200> but was: <503>\n\tat org.shop'),
        output: [{ stream: 'stdout', text: 'first try' }],
      },
      { retry: 1, status: 'failed', duration: null, error: expect.stringContaining('connection reset') },
      { retry: 2, status: 'passed', duration: 400 },
    ]);
    const failed = caseOf(report, 'addsUp');
    expect(failed.error).toContain('java.io.IOException: no answer');
    expect(failed.duration).toBe(3);
    expect(failed.attempts).toMatchObject([
      { retry: 0, error: expect.stringContaining('but was: <3>') },
      { retry: 1, error: expect.stringContaining('but was: <5>') },
      {
        retry: 2,
        status: 'failed',
        duration: 3,
        output: [
          { stream: 'stdout', text: 'adding 1 and 2' },
          { stream: 'stderr', text: 'this is odd' },
        ],
      },
    ]);
    expect(caseOf(report, 'paysByCheque').annotations).toEqual([{ type: 'skip', description: 'nobody does' }]);
    expect(caseOf(report, 'org.shop.StockTest').metadata).toEqual({ outcome: 'error' });
  });

  it('never sends the properties of a suite, which may be secrets', async () => {
    expect(JSON.stringify(await readSample('junit-surefire.xml'))).not.toContain('must not be sent');
  });

  it('may be several documents with suites in suites; entities of a DTD are not expanded', async () => {
    const report = await readSample('junit-several.xml');
    expect(report).toMatchObject({
      startTimeMs: Date.parse('2026-03-04T05:06:07Z'),
      durationMs: 13_000,
      problems: [],
      status: null,
    });
    expect(linesOf(report)).toEqual([
      'failed 0 tests/CartTest.php:12 | Shop.CartTest › testAddsUp',
      'passed 0 tests/CartTest.php:20 | Shop.CartTest › testFinds with data set #0',
      'failed 0 CannotStart | CannotStart',
      'passed 0 src/math_test.cc:7 | MathTest › Doubles',
    ]);
    expect(caseOf(report, 'Shop.CartTest › testAddsUp').error).toMatch(/^&c; &here;/);
    expect(caseOf(report, 'CannotStart').error).toBe('no database\nat setup');
    const found = caseOf(report, 'Shop.CartTest › testFinds with data set #0');
    expect(found.tags).toEqual(['slow', 'money']);
    expect(found.annotations).toEqual([{ type: 'owner', description: 'ada' }]);
  });

  it('of CTest has tests that could not start as failed, for they fail CTest', async () => {
    const report = await readSample('junit-ctest.xml');
    expect(report.cases.map(({ status, title }) => `${status} ${title}`)).toEqual([
      'passed adds_up',
      'failed pays',
      'skipped pays_by_cheque',
      'failed waits_for_the_bank',
      'skipped is_skipped',
      'passed refuses_a_wrong_card',
      'failed is_missing',
    ]);
    expect(caseOf(report, 'is_missing').error).toBe('Unable to find executable');
  });

  it('of GoogleTest has tests that were not run as skipped', async () => {
    const report = await readText(
      `<testsuites tests="3" time="0.9"><testsuite name="Math" time="0.9">
      <testcase name="Doubles" status="run" result="completed" classname="Math"/>
      <testcase name="DISABLED_Halves" status="notrun" result="suppressed" classname="Math"/>
      <testcase name="Thirds" status="run" result="suppressed" classname="Math"/></testsuite></testsuites>`,
    );
    expect(report.cases.map(({ status }) => status)).toEqual(['passed', 'skipped', 'skipped']);
  });

  it('has the time that is told of all suites, or that of the suites', async () => {
    const suites = '<testsuite name="a" time="2"/><testsuite name="b" time="3"/>';
    expect((await readText(`<testsuites time="5">${suites}</testsuites>`)).durationMs).toBe(5_000);
    expect((await readText(`<testsuites>${suites}</testsuites>`)).durationMs).toBe(5_000);
    expect((await readText(`<testsuites time="4">${suites}</testsuites>${suites}`)).durationMs).toBe(9_000);
  });

  it('has commas as its tool writes them', async () => {
    const durationOf = async (time: string) =>
      (await readText(`<testsuite name="s"><testcase name="a" time="${time}"/></testsuite>`)).cases[0]!.duration;
    expect(await durationOf('1,234')).toBe(1_234);
    expect(await durationOf('0,5')).toBe(500);
    expect(await durationOf('1,234.5')).toBe(1_234_500);
    expect(await durationOf('1,234,567')).toBe(1_234_567_000);
  });

  it('has times in UTC where it tells no zone, wherever it is read', async () => {
    vi.stubEnv('TZ', 'America/New_York');
    const startOf = async (time: string) => (await readText(`<testsuite name="s" timestamp="${time}"/>`)).startTimeMs;
    const expected = Date.parse('2026-03-04T05:06:07Z');
    expect(await startOf('2026-03-04T05:06:07')).toBe(expected);
    expect(await startOf('2026-03-04 05:06:07')).toBe(expected);
    expect(await startOf('2026-03-04T07:06:07+02:00')).toBe(expected);
    vi.unstubAllEnvs();
  });

  it('of Playwright has the project as browser', async () => {
    const report = await readSample('junit-playwright.xml');
    expect(linesOf(report)).toEqual([
      'passed 0 cart.spec.ts | cart › with a voucher › takes ten per cent off [chromium]',
      'failed 0 cart.spec.ts | cart › with a voucher › adds up [chromium]',
      'passed 0 cart.spec.ts | cart › survives a slow network [chromium]',
      'skipped 0 cart.spec.ts | cart › pays by cheque [chromium]',
      'timedOut 0 cart.spec.ts | cart › waits for the bank [chromium]',
      'passed 0 cart.spec.ts | cart › refuses a wrong card [chromium]',
      'failed 0 cart.spec.ts | cart › is known to be broken, but is not [chromium]',
      'failed 0 stock.spec.ts | stock › counts books [chromium]',
      'skipped 0 stock.spec.ts | stock › counts lamps [chromium]',
      'passed 0 stock.spec.ts | finds a book [chromium]',
      'passed 0 stock.spec.ts | finds a lamp [chromium]',
      'passed 0 stock.spec.ts | finds a book [firefox]',
      'passed 0 stock.spec.ts | finds a lamp [firefox]',
    ]);
    expect(caseOf(report, 'cart › with a voucher › adds up').attempts).toMatchObject([
      { output: [{ stream: 'stdout', text: expect.stringContaining('adding 1 and 2') }] },
    ]);
  });

  it('of Vitest has the file', async () => {
    expect(linesOf(await readSample('junit-vitest.xml'))).toEqual([
      'failed 0 unit/broken.test.ts | unit/broken.test.ts',
      'passed 0 unit/price.test.ts | price > with tax > adds the tax',
      'failed 0 unit/price.test.ts | price > with tax > rounds half a cent',
      'passed 0 unit/price.test.ts | price > is fetched in the end',
      'failed 0 unit/price.test.ts | price > never comes',
      'skipped 0 unit/price.test.ts | price > is shown in guilders',
      'skipped 0 unit/price.test.ts | price > is shown in shells',
      'timedOut 0 unit/price.test.ts | price > takes too long',
      'passed 0 unit/price.test.ts | doubles 1',
      'passed 0 unit/price.test.ts | doubles 2',
    ]);
  });

  it('of Node has describes as suites, and todo tests as skipped', async () => {
    expect(linesOf(await readSample('junit-node.xml'))).toEqual([
      'passed 0 node/cart.test.mjs | cart › with a voucher › takes ten per cent off',
      'failed 0 node/cart.test.mjs | cart › with a voucher › adds up',
      'skipped 0 node/cart.test.mjs | cart › pays by cheque',
      'skipped 0 node/cart.test.mjs | cart › pays with shells',
      'passed 0 node/cart.test.mjs | cart › has a # and a \\ in its name',
      'passed 0 node/cart.test.mjs | ships › by mail',
      'failed 0 node/cart.test.mjs | ships › by pigeon',
      'timedOut 0 node/cart.test.mjs | times out',
    ]);
  });

  it('of pytest has errors of fixtures', async () => {
    const report = await readSample('junit-pytest.xml');
    expect(linesOf(report)).toEqual([
      'failed 0 tests.test_cart.TestCart | test_adds_up',
      'passed 0 tests.test_cart.TestCart | test_finds[book]',
      'passed 0 tests.test_cart.TestCart | test_finds[lamp]',
      'skipped 0 tests.test_cart | test_pays_by_cheque',
      'failed 0 tests.test_cart | test_counts',
      'passed 0 tests.test_cart | test_property',
    ]);
    expect(caseOf(report, 'test_counts')).toMatchObject({
      error: expect.stringContaining('the warehouse is closed'),
      metadata: { outcome: 'error' },
    });
  });

  it('of jest-junit has no file but its suite', async () => {
    expect(linesOf(await readSample('junit-jest.xml'))).toEqual([
      'passed 0 cart | cart with a voucher takes ten per cent off',
      'failed 0 cart | cart with a voucher adds up',
      'skipped 0 cart | cart pays by cheque',
      'passed 0 cart | cart pays with shells',
      'passed 0 cart | retried is fetched in the end',
    ]);
  });

  it('of pytest with files has only the class in the title', async () => {
    const report = await readText(
      '<testsuite name="pytest"><testcase classname="tests.test_cart.TestCart" name="test_a" file="tests/test_cart.py" line="4"/></testsuite>',
    );
    expect(linesOf(report)).toEqual(['passed 0 tests/test_cart.py:4 | TestCart › test_a']);
  });

  it('is read in the encoding that it declares', async () => {
    const text =
      '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite name="s"><testcase name="für Köln" classname="C"/></testsuite>';
    expect((await readText(Buffer.from(text, 'latin1'))).cases[0]!.title).toBe('für Köln');
    const wide = Buffer.from(`\uFEFF${text.replace('ISO-8859-1', 'UTF-16')}`, 'utf16le');
    expect((await readText(wide)).cases[0]!.title).toBe('für Köln');
  });

  it('that breaks off gives what came before, and says where', async () => {
    const report = await readText(
      '<testsuites>\n<testsuite name="s">\n<testcase name="a"/>\n<testcase name="b">\n<fail',
    );
    expect(linesOf(report)).toEqual(['passed 0 s | a']);
    expect(report.status).toBe('interrupted');
    expect(report.problems).toEqual([{ message: 'it ends inside of <testcase>', line: 5 }]);
  });

  it('with tags that do not match goes on behind them, and says where', async () => {
    const report = await readText(
      '<testsuite name="s"><testcase name="a"></oops></testcase>\n<testcase name="b"/></testsuite>',
    );
    expect(linesOf(report)).toEqual(['passed 0 s | a', 'passed 0 s | b']);
    expect(report.problems[0]).toMatchObject({ line: 1 });
  });

  it('keeps the beginning and the end of long output', async () => {
    const output = `first${'x'.repeat(100_000)}last`;
    const report = await readText(
      `<testsuite name="s"><testcase name="a"><system-out><![CDATA[${output}]]></system-out></testcase></testsuite>`,
    );
    const [{ output: told }] = report.cases[0]!.attempts as [{ output: [{ text: string }] }];
    expect(told[0].text).toMatch(/^firstx+\n… \d+ characters left out …\nx+last$/);
    expect(told[0].text.length).toBeLessThan(17_000);
  });
});
