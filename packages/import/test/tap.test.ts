import { describe, expect, it } from 'vitest';
import { caseOf, linesOf, readSample, readText } from './read-sample.ts';

describe('TAP', () => {
  it('12 has directives, diagnostics in comments and a bail out', async () => {
    const report = await readSample('tap-12.tap');
    expect(report).toMatchObject({ format: 'TAP', status: 'interrupted', errors: ['Bail out! The database is gone.'] });
    expect(linesOf(report)).toEqual([
      'passed 0 - | takes ten per cent off',
      'failed 0 - | adds up',
      'skipped 0 - | test 3',
      'skipped 0 - | pays with shells',
      'passed 0 - | test 5',
      'failed 0 - | has no number',
    ]);
    expect(caseOf(report, 'adds up').error).toContain("got: '3'");
    expect(caseOf(report, 'pays with shells').annotations).toEqual([{ type: 'todo', description: 'not yet' }]);
  });

  it('14 has subtests, YAML and plans that are not kept', async () => {
    const report = await readSample('tap-14.tap');
    expect(report).toMatchObject({
      durationMs: 120.5,
      status: 'interrupted',
      problems: [{ message: '1 of 2 planned tests did not run' }],
    });
    expect(linesOf(report)).toEqual([
      'passed 0 - | cart › takes ten per cent off',
      'failed 0 - | cart › adds up',
      'passed 0 - | cart › with a voucher › is cheaper',
      'passed 0 - | cart › with a voucher › is # 1 \\ best',
      'passed 0 - | stock › finds a book',
      'skipped 0 - | docs',
      'passed 0 - | bank › opens',
      'failed 0 - | bank',
    ]);
    expect(caseOf(report, 'cart › adds up')).toMatchObject({
      duration: 12.5,
      error: '3 is not 4\nexpected: 4\nactual: 3\nat add (t/cart.js:7:3)\nat run (t/cart.js:1:1)',
    });
  });

  it('of Node has describes, and a test that failed beside its subtests', async () => {
    const report = await readSample('tap-node.tap');
    expect(report).toMatchObject({ durationMs: 780.382219, problems: [] });
    expect(linesOf(report)).toEqual([
      'passed 0 - | cart › with a voucher › takes ten per cent off',
      'failed 0 - | cart › with a voucher › adds up',
      'skipped 0 - | cart › pays by cheque',
      'skipped 0 - | cart › pays with shells',
      'passed 0 - | cart › has a # and a \\ in its name',
      'passed 0 - | ships › by mail',
      'failed 0 - | ships › by pigeon',
      'failed 0 - | ships',
      'timedOut 0 - | times out',
    ]);
    expect(caseOf(report, 'cart › with a voucher › adds up').error).toMatch(
      /^Expected values to be strictly equal:\n\n3 !== 4/,
    );
    expect(caseOf(report, 'ships').error).toContain('the ship itself sank');
  });

  it('of Vitest has subtests in braces, or flat', async () => {
    const nested = await readSample('tap-vitest.tap');
    const flat = await readSample('tap-vitest-flat.tap');
    expect(linesOf(nested)).toEqual([
      'failed 0 unit/broken.test.ts | unit/broken.test.ts',
      'passed 0 unit/price.test.ts | price › with tax › adds the tax',
      'failed 0 unit/price.test.ts | price › with tax › rounds half a cent',
      'passed 0 unit/price.test.ts | price › is fetched in the end',
      'failed 0 unit/price.test.ts | price › never comes',
      'skipped 0 unit/price.test.ts | price › is shown in guilders',
      'skipped 0 unit/price.test.ts | price › is shown in shells',
      'timedOut 0 unit/price.test.ts | price › takes too long',
      'passed 0 unit/price.test.ts | doubles 1',
      'passed 0 unit/price.test.ts | doubles 2',
    ]);
    expect(linesOf(flat)).toEqual(linesOf(nested));
    expect(nested.problems).toEqual([]);
    expect(caseOf(nested, 'price › takes too long').error).toContain('configure it globally with "testTimeout"');
  });

  it('that breaks off says where', async () => {
    const report = await readText('TAP version 13\n1..3\nok 1 - a\nnot ok 2 - b\n  ---\n  message: oh\n');
    expect(linesOf(report)).toEqual(['passed 0 - | a', 'failed 0 - | b']);
    expect(caseOf(report, 'b').error).toBe('oh');
    expect(report.problems).toEqual([
      { message: 'it ends inside of a YAML block', line: 5 },
      { message: '1 of 3 planned tests did not run', line: 4 },
    ]);
  });

  it('has dots in a YAML block that are not its end', async () => {
    const report = await readText(
      'TAP version 13\n1..2\nnot ok 1 - a\n  ---\n  message: |\n    it says\n    ...\n    ok 7 - no test\n  ...\nok 2 - b\n',
    );
    expect(linesOf(report)).toEqual(['failed 0 - | a', 'passed 0 - | b']);
    expect(caseOf(report, 'a').error).toBe('it says\n...\nok 7 - no test');
  });

  it('that skips everything has no tests', async () => {
    expect(await readText('1..0 # SKIP no database\n')).toMatchObject({ format: 'TAP', cases: [], problems: [] });
  });
});
