import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FilesImported, importFiles } from '../src/import-files.ts';
import { ROOT, SAMPLES, caseOf, linesOf, readSample, readText } from './read-sample.ts';

const importAll = async (...paths: string[]): Promise<FilesImported> => {
  const read = await importFiles(paths, { root: ROOT });
  if (!read.ok) throw new Error(read.problems.join('; '));
  return read;
};
const casesOf = ({ runs }: FilesImported): string[] => linesOf({ cases: [...runs[0]!.cases] } as never);

describe('reports of other runners', () => {
  it('TRX: rows of data are tests, classes stand behind the results, and a crash fails the run', async () => {
    const report = await readSample('trx.trx');
    expect(report).toMatchObject({
      format: 'TRX',
      status: 'failed',
      durationMs: 2_500,
      errors: ['The active test run was aborted. Reason: Test host process crashed'],
    });
    expect(linesOf(report)).toEqual([
      'passed 0 Shop.CartTests | TakesTenPerCentOff',
      'failed 0 Shop.CartTests | AddsUp',
      'skipped 0 Shop.CartTests | PaysByCheque',
      'passed 0 Shop.MathTests | Doubles (1,2)',
      'timedOut 0 Shop.MathTests | Doubles (2,5)',
    ]);
    expect(caseOf(report, 'AddsUp')).toMatchObject({
      duration: 1_500,
      error: expect.stringMatching(/^Assert.AreEqual failed[^]*CartTests.cs:line 20$/),
      attempts: [{ output: [{ stream: 'stdout', text: 'adding 1 and 2' }] }],
    });
  });

  it('NUnit: a fixture that cannot be set up fails its tests, and is no test itself', async () => {
    const report = await readSample('nunit.xml');
    expect(report).toMatchObject({ format: 'NUnit', status: 'failed', durationMs: 1_750, problems: [] });
    expect(linesOf(report)).toEqual([
      'passed 0 Shop.CartTests | TakesTenPerCentOff',
      'failed 0 Shop.CartTests | AddsUp',
      'skipped 0 Shop.CartTests | PaysByCheque',
      'passed 0 Shop.CartTests | Doubles(2)',
      'failed 0 Shop.BankTests | IsPaid',
    ]);
    expect(caseOf(report, 'TakesTenPerCentOff')).toMatchObject({ tags: ['fast'], duration: 12 });
  });

  it('xUnit.net: an error outside of all tests fails the run', async () => {
    const report = await readSample('xunit-net.xml');
    expect(report).toMatchObject({
      format: 'xUnit.net',
      status: 'failed',
      errors: [expect.stringContaining('the till is locked')],
    });
    expect(linesOf(report)).toEqual([
      'passed 0 Shop.CartTests | TakesTenPerCentOff',
      'passed 0 Shop.CartTests | Doubles(n: 2)',
      'failed 0 Shop.CartTests | AddsUp',
      'skipped 0 Shop.CartTests | Pays by cheque',
    ]);
  });

  it('Robot Framework: tests of a suite whose teardown failed have failed', async () => {
    const report = await readSample('robot.xml');
    expect(report).toMatchObject({ format: 'Robot Framework', status: 'failed', durationMs: 1_250 });
    expect(linesOf(report)).toEqual([
      'passed 0 tests/cart.robot:8 | Cart › Takes Ten Per Cent Off',
      'failed 0 tests/cart.robot:12 | Cart › Adds Up',
      'skipped 0 tests/cart.robot:16 | Cart › Pays By Cheque',
      'failed 0 tests/bank.robot:3 | Bank › Is Paid',
    ]);
    expect(caseOf(report, 'Bank › Is Paid').error).toContain('the vault is stuck');
  });

  it.each([
    ['Robot 6.1', ['failed', 'failed', 'skipped', 'failed', 'passed']],
    ['Rebot 6.1', ['passed', 'failed', 'skipped', 'passed', 'passed']],
  ])(
    '%s: a teardown that failed fails what passed in its suite, unless the file says what came of it',
    async (generator, expected) => {
      const test = (name: string, status: string): string => `<test name="${name}"><status status="${status}"/></test>`;
      const report = await readText(`<robot generator="${generator} (Python 3.12)"><suite name="All">
      <suite name="Bank">${test('a', 'PASS')}${test('b', 'FAIL')}${test('c', 'SKIP')}
        <suite name="Vault">${test('d', 'PASS')}<status status="PASS"/></suite>
        <kw name="Close" type="TEARDOWN"><status status="FAIL">stuck</status></kw><status status="FAIL"/></suite>
      <suite name="Cart">${test('e', 'PASS')}<kw type="TEARDOWN"><status status="PASS"/></kw><status status="PASS"/></suite>
      <status status="FAIL"/></suite></robot>`);
      expect(report.cases.map(({ status }) => status)).toEqual(expected);
      expect(report.status).toBe('failed');
    },
  );

  it('Mocha: hooks that failed are told beside its tests, by both reporters', async () => {
    const tests = [
      'passed 0 test/cart.test.js | cart › takes ten per cent off',
      'failed 0 test/cart.test.js | cart › adds up',
      'skipped 0 test/cart.test.js | cart › pays by cheque',
      'skipped 0 test/cart.test.js | cart › pays with shells',
    ];
    expect(linesOf(await readSample('mocha.json'))).toEqual([
      ...tests,
      'passed 1 test/cart.test.js | cart › survives a slow network',
      'timedOut 0 test/cart.test.js | cart with a voucher › is cheaper',
      'failed 0 test/cart.test.js | cart at the bank › "before all" hook: open the bank for "is paid"',
    ]);
    expect(linesOf(await readSample('mochawesome.json'))).toEqual([
      ...tests,
      // It does not write how often a test was tried.
      'passed 0 test/cart.test.js | cart › survives a slow network',
      'timedOut 0 test/cart.test.js | cart › with a voucher › is cheaper',
      'failed 0 test/cart.test.js | cart › at the bank › "before all" hook: open the bank for "is paid"',
      'skipped 0 test/cart.test.js | cart › at the bank › is paid',
    ]);
  });

  it('Cucumber: steps that are undefined or pending fail their scenario, as they fail the run', async () => {
    const report = await readSample('cucumber.json');
    expect(linesOf(report)).toEqual([
      'passed 0 features/cart.feature:6 | Cart › Adds up',
      'failed 0 features/cart.feature:11 | Cart › Takes a voucher',
      'failed 0 features/cart.feature:15 | Cart › Pays with shells',
      'failed 0 features/cart.feature:18 | Cart › Pays later',
    ]);
    expect(caseOf(report, 'Cart › Takes a voucher')).toMatchObject({
      tags: ['@shop', '@slow'],
      steps: [{ title: 'Given a cart' }, { title: 'When a voucher is used' }, { title: 'Then it costs 8' }],
    });
  });

  it('RSpec: a file that cannot be loaded fails the run', async () => {
    expect(linesOf(await readSample('rspec.json'))).toEqual([
      'passed 0 spec/cart_spec.rb:2 | Cart › takes ten per cent off',
      'failed 0 spec/cart_spec.rb:3 | Cart › adds up',
      'skipped 0 spec/cart_spec.rb:4 | Cart › pays with shells',
      'skipped 0 spec/cart_spec.rb:6 | Cart with a voucher › is cheaper',
      'skipped 0 spec/cart_spec.rb:7 | Cart with a voucher › is free',
    ]);
    expect(await readSample('rspec-broken.json')).toMatchObject({
      status: 'failed',
      cases: [],
      errors: [expect.stringContaining('does-not-exist')],
    });
  });

  it('subunit: a failure that was expected has passed', async () => {
    const report = await readSample('subunit.bin');
    expect(report).toMatchObject({ format: 'subunit', problems: [] });
    expect(linesOf(report)).toEqual([
      'failed 0 test_cart.CartTest | test_adds_up',
      'skipped 0 test_cart.CartTest | test_pays_by_cheque',
      'passed 0 test_cart.CartTest | test_pays_with_shells',
      'passed 0 test_cart.CartTest | test_takes_ten_per_cent_off',
    ]);
    expect(caseOf(report, 'test_adds_up').error).toContain('AssertionError: 3 != 4');
  });

  it('JUnit of cargo nextest and of Bazel', async () => {
    expect(linesOf(await readSample('junit-nextest.xml'))).toEqual([
      'passed 0 shop | cart::takes_ten_per_cent_off',
      'failed 1 shop | cart::adds_up',
      'passed 1 shop | net::survives',
    ]);
    expect(linesOf(await readSample('junit-bazel.xml'))).toEqual(['failed 0 cart/cart_test | cart/cart_test']);
  });

  it('Allure: tries of a test become one, and hooks that failed fail the run', async () => {
    const read = await importAll(join(SAMPLES, 'allure'));
    expect(read.warnings).toEqual([]);
    expect(read.runs[0]).toMatchObject({ status: 'failed', errors: [expect.stringContaining('the bank is closed')] });
    expect(casesOf(read).sort()).toEqual([
      'failed 0 js.test.cart.test.js | cart › adds up',
      'failed 0 js.test.cart.test.js | cart › with a voucher › is cheaper',
      'passed 0 js.test.cart.test.js | cart › takes ten per cent off',
      'passed 1 js.test.cart.test.js | cart › survives a slow network',
      'skipped 0 js.test.cart.test.js | cart › pays by cheque',
      'skipped 0 js.test.cart.test.js | cart › pays with shells',
    ]);
  });
});

describe('reports that repeat each other', () => {
  it('TestNG in three forms counts once', async () => {
    const read = await importAll(join(SAMPLES, 'testng'));
    expect(casesOf(read)).toEqual([
      'failed 0 org.shop.CartTest | addsUp',
      'passed 0 org.shop.CartTest | doubles(1)',
      'passed 0 org.shop.CartTest | doubles(2)',
      'passed 1 org.shop.CartTest | survivesASlowNetwork',
      'passed 0 org.shop.CartTest | takesTenPerCentOff',
      'skipped 0 org.shop.CartTest | pays',
    ]);
    expect(read.warnings).toEqual([expect.stringContaining('it repeats'), expect.stringContaining('it repeats')]);
  });

  it('the file that Ant makes of all others counts once, and a file like another of another run counts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-ant-'));
    try {
      const suite = (name: string, minute: number): string =>
        `<testsuite name="${name}" timestamp="2026-03-04T05:0${minute}:00"><testcase classname="${name}" name="a" time="0.5"/><testcase classname="${name}" name="b" time="0.25"><failure message="no"/></testcase></testsuite>`;
      writeFileSync(join(folder, 'TEST-shop.Cart.xml'), suite('shop.Cart', 1));
      writeFileSync(join(folder, 'TEST-shop.Bank.xml'), suite('shop.Bank', 2));
      writeFileSync(
        join(folder, 'TESTS-TestSuites.xml'),
        `<testsuites>${suite('shop.Cart', 1)}${suite('shop.Bank', 2)}</testsuites>`,
      );
      expect((await importAll(folder)).runs[0]!.cases).toHaveLength(4);
      writeFileSync(join(folder, 'again.xml'), suite('shop.Cart', 7));
      expect((await importAll(folder)).runs[0]!.cases).toHaveLength(6);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('names what it left out of a folder when a person would take it for a report', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-folder-'));
    try {
      mkdirSync(join(folder, 'deep'));
      copyFileSync(join(SAMPLES, 'junit-pytest.xml'), join(folder, 'junit.xml'));
      writeFileSync(join(folder, 'deep/coverage.xml'), '<coverage line-rate="1"/>');
      writeFileSync(join(folder, 'notes.md'), '# Notes');
      expect((await importAll(folder)).warnings).toEqual([
        expect.stringMatching(/coverage\.xml was left out: it is an XML document with the root <coverage>/),
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
