import { describe, expect, expectTypeOf, it } from 'vitest';
import { STRING_METHODS } from '../evaluate/library/string.ts';
import {
  type Built,
  type Expr,
  type Node,
  capture,
  compile,
  evaluate,
  expr,
  fromLambda,
  parseText,
  print,
  select,
  std,
  treeOf,
  where,
} from '../index.ts';
import type { StringMethods } from './types.ts';

interface Case {
  readonly status: 'passed' | 'failed' | 'timedOut';
  readonly retries: number;
  readonly title: string;
  readonly error: string | null;
  readonly tags: readonly string[];
  readonly startTime: Date;
  readonly flaky: boolean;
  readonly eq: number;
  readonly note?: string;
  readonly steps: readonly { readonly ms: number; readonly failed: boolean; readonly skipped: boolean }[];
}

/** What is built, by the text that gives the same tree. */
const BUILT: Readonly<Record<string, (t: Expr<Case>) => Built>> = {
  't.title.toLowerCase().includes("login")': (t) => t.title.toLowerCase().includes('login'),
  't.status of ["failed", "timedOut"]': (t) => t.status.isIn(['failed', 'timedOut']),
  't.error?.includes("x")': (t) => t.error.maybe.includes('x'),
  't.error === null || t.error === undefined': (t) => t.error.isNull(),
  't.retries > -1': (t) => t.retries.gt(-1),
  't.retries / 1000 >= 2.5': (t) => t.retries.over(1000).gte(2.5),
  '(t.retries + 1) * 2': (t) => t.retries.plus(1).times(2),
  't.tags.some(x => x.startsWith("a"))': (t) => t.tags.some((tag) => tag.startsWith('a')),
  't.tags.map(x => x.length)': (t) => t.tags.map((tag) => tag.length),
  't.startTime >= new Date("2026-01-01T00:00:00.000Z")': (t) => t.startTime.gte(new Date('2026-01-01')),
  '!t.flaky || t.flaky': (t) => t.flaky.not().or(t.flaky),
  't.eq === 1': (t) => t.field('eq').eq(1),
  't.error ?? "none"': (t) => t.error.else('none'),
  't.flaky ? 1 : "no"': (t) => t.flaky.choose(1, 'no'),
  't.error === undefined': (t) => t.error.eq(undefined),
  't.error?.trim().length > 3': (t) => t.error.maybe.trim().length.gt(3),
  'Math.max(t.retries, 3) > Math.PI': (t) => std.Math.max(t.retries, 3).gt(std.Math.PI),
  'Number(t.title) === Number.MAX_SAFE_INTEGER': (t) => std.Number(t.title).eq(std.Number.MAX_SAFE_INTEGER),
  't.startTime < Date.now()': (t) => t.startTime.lt(std.Date.now()),
  't.title.split("/").at(0)': (t) => t.title.split('/').at(0),
  't.title.replaceAll("a", t.title)': (t) => t.title.replaceAll('a', t.title),
  't.steps.reduce((x, x1) => x + x1.ms, 0)': (t) => t.steps.reduce((sum, step) => sum.plus(step.ms), 0),
  't.steps.map(x => ({ ms: x.ms, list: [x.failed, 1] }))': (t) =>
    t.steps.map((s) => ({ ms: s.ms, list: [s.failed, 1] })),
  't.retries >= @least && @isMine(t.title)': (t) =>
    t.retries.gte(capture<number>('least')).and(capture<(text: string) => boolean>('isMine')(t.title)),
};

const printed = (build: (t: Expr<Case>) => Built): string => print(treeOf(build(expr<Case>())));

describe('the typed builder', () => {
  it('gives the tree that the same text gives', () => {
    const built = where((t: Expr<Case>) => t.status.eq('failed').and(t.retries.gt(0)));
    const parsed = parseText('t => t.status === "failed" && t.retries > 0');
    expect(parsed.ok && parsed.tree).toEqual(built);
  });

  it.each(Object.entries(BUILT))('%s', (text, build) => {
    expect(printed(build)).toBe(text);
    const parsed = parseText(text);
    expect(parsed.ok && parsed.tree).toEqual(treeOf(build(expr<Case>())));
  });

  it('refuses at compile time what the row does not have', () => {
    // @ts-expect-error -- no such field
    printed((t) => t.nothing.eq(1));
    // @ts-expect-error -- never such a value
    printed((t) => t.status.eq('flying'));
    // @ts-expect-error -- a string is not compared with a number
    printed((t) => t.title.gt(1));
    // @ts-expect-error -- may be null
    printed((t) => t.error.includes('x'));
    // @ts-expect-error -- may be left out
    printed((t) => t.note.includes('x'));
    expect(printed((t) => t.title)).toBe('t.title');
  });

  it('refuses operators of JavaScript, when it is compiled and when it runs', () => {
    const [few, many] = [3, 5] as [number, number];
    const refused: [instead: string, build: () => Node][] = [
      // @ts-expect-error -- gives false
      ['not', () => where((t: Expr<Case>) => !t.flaky && t.retries.gt(3))],
      // @ts-expect-error -- gives t.flaky alone
      ['or', () => where((t: Expr<Case>) => t.flaky || t.retries.gt(3))],
      // @ts-expect-error -- gives the first alone
      ['or', () => where((t: Expr<Case>) => t.retries.lt(1) || t.retries.gt(3))],
      // @ts-expect-error -- gives false
      ['not', () => where((t: Expr<Case>) => !t.flaky)],
      // @ts-expect-error -- gives t.retries.gt(1)
      ['choose', () => where((t: Expr<Case>) => (t.flaky ? t.retries.gt(1) : t.retries.gt(2)))],
      // @ts-expect-error -- gives t.flaky
      ['or', () => where((t: Expr<Case>) => t.retries.gt(1).and(t.flaky || t.retries.gt(3)))],
      // @ts-expect-error -- gives false
      ['not', () => where((t: Expr<Case>) => t.retries.gt(1).and(!t.flaky))],
      // @ts-expect-error -- gives step.failed
      ['or', () => where((t: Expr<Case>) => t.steps.some((step) => step.failed || step.skipped))],
      // @ts-expect-error -- gives t.eq
      ['or', () => where((t: Expr<Case>) => t.retries.gt(t.field('eq') || 3))],
      // The compiler takes these for the second, and for two of one type.
      ['and', () => where((t: Expr<Case>) => t.flaky && t.retries.gt(3))],
      ['or', () => where((t: Expr<Case>) => t.retries.gt(few) || t.retries.gt(many))],
    ];
    for (const [instead, build] of refused)
      expect(build, String(build)).toThrow(expect.objectContaining({ code: 'lambda.operator', details: { instead } }));
    // @ts-expect-error -- a plain value
    expect(() => where(() => true)).toThrow('use and, or and not');
    expect(() => Number(expr<Case>().retries)).toThrow('no value yet');
  });

  it('lets plain conditions choose what is built', () => {
    const least = [3][0];
    const built = where((t: Expr<Case>) => (least === undefined ? t.retries.gt(0) : t.retries.gt(0)));
    expect(print(built)).toBe('t => t.retries > 0');
  });

  it('carries the types of the row and of the result to compile and evaluate', () => {
    const slow = where((t: Expr<{ ms: number }>) => t.ms.gt(3));
    const isSlow = compile(slow);
    expectTypeOf(isSlow).toEqualTypeOf<(params: { readonly t: { ms: number } }) => boolean>();
    expect(isSlow({ t: { ms: 4 } })).toBe(true);
    // @ts-expect-error -- another row
    expect(() => isSlow({ x: { ms: 4 } })).toThrow('No input t');
    // @ts-expect-error -- another row
    expect(evaluate(slow, { params: { t: { ms: 'a' } } })).toBe(false);
    const short = compile(
      select((row: Expr<{ ms: number; name: string }>) => ({ name: row.name, s: row.ms.over(1000) }), 'row'),
    );
    expectTypeOf(short({ row: { ms: 1500, name: 'a' } })).toEqualTypeOf<{
      readonly name: string;
      readonly s: number;
    }>();
    expect(short({ row: { ms: 1500, name: 'a' } })).toEqual({ name: 'a', s: 1.5 });
    const read = parseText('a + 1');
    // @ts-expect-error -- any value
    const sum: number = read.ok ? evaluate(read.tree, { params: { a: 1 } }) : 0;
    expect(sum).toBe(2);
    expect(read.ok && compile(read.tree)({ a: 1 })).toBe(2);
  });

  it('has the methods of texts that the evaluation has', () => {
    expectTypeOf<Exclude<keyof typeof STRING_METHODS, 'toString' | 'valueOf'>>().toEqualTypeOf<
      Exclude<keyof StringMethods, 'length'>
    >();
    expect(STRING_METHODS).toHaveProperty('replaceAll');
  });
});

const lambda = (
  fn: (...args: never[]) => unknown,
  scope?: Record<string, unknown>,
  captures?: readonly string[],
): string => {
  const result = fromLambda(fn, { scope, captures });
  return result.ok ? print(result.tree) : result.issues.map(({ code }) => code).join(' ');
};

describe('the tree of a real function', () => {
  const limit = 3;
  const list = ['a', 'b'];
  const shout = (text: string): string => `${text}!`;

  it('is that of its source', () => {
    expect(lambda((t: Case) => t.status === 'failed' && t.retries > 0)).toBe(
      't => t.status === "failed" && t.retries > 0',
    );
    expect(lambda((t: Case) => t.error?.includes('x') ?? false)).toBe('t => t.error?.includes("x") ?? false');
    expect(
      lambda(function (t: Case) {
        return t.retries + 1;
      }),
    ).toBe('t => t.retries + 1');
    expect(lambda((a: number, b: number) => (a > b ? a : b))).toBe('(a, b) => a > b ? a : b');
  });

  it('takes destructured parameters apart', () => {
    expect(lambda(({ status, retries: n }: Case) => status === 'failed' && n > 1)).toBe(
      '$0 => $0.status === "failed" && $0.retries > 1',
    );
  });

  it('binds what scope has: values as constants, functions as captures', () => {
    expect(lambda((t: Case) => t.retries > limit, { limit })).toBe('t => t.retries > 3');
    expect(lambda((t: Case) => t.retries > limit, {}, ['limit'])).toBe('t => t.retries > @limit');
    expect(lambda((t: Case) => list.includes(t.title), { list })).toBe('t => const ["a", "b"].includes(t.title)');
    expect(lambda((t: Case) => shout(t.title), { shout })).toBe('t => @shout(t.title)');
    expect(lambda((t: Case) => t.title === Number('1').toFixed(limit), { limit: -2 })).toBe(
      't => t.title === Number("1").toFixed(-2)',
    );
  });

  it('refuses a name that was not declared, as a minifier may have given it', () => {
    // oxlint-disable-next-line typescript/no-implied-eval -- what a minifier made of `(t) => t.retries >= least`
    const minified = new Function('t', 'return (e) => e.retries >= t')(3) as () => boolean;
    const refused = fromLambda(minified, { scope: { least: 3 } });
    expect(!refused.ok && refused.issues).toEqual([
      {
        code: 'lambda.undeclared',
        path: '',
        span: { start: 20, end: 21 },
        message: expect.stringMatching(/^t is undeclared: give its value in `scope`, or .* minifier .* `where`/),
        details: { name: 't' },
      },
    ]);
    expect(lambda((t: Case) => Math.abs(t.retries) > limit + list.length)).toBe('lambda.undeclared lambda.undeclared');
  });

  it('runs no accessor of scope', () => {
    const scope = {
      get limit(): number {
        throw new Error('ran');
      },
    };
    expect(lambda((t: Case) => t.retries > limit, scope)).toBe('lambda.undeclared');
  });

  it('reports what lies outside, with its place in the source', () => {
    const outside = fromLambda((t: Case) => (t.retries & 1) === 0);
    expect(outside.ok).toBe(false);
    expect(!outside.ok && outside.issues.map(({ code }) => code)).toEqual(['text.unsupported']);
    expect(lambda((t: Case) => new Map([[t, 1]]))).toBe('text.unsupported');
    expect(lambda((t: Case) => limit === t.retries, { limit: new Map() })).toBe('constant.unsupported');
    expect(lambda(Math.max)).toBe('lambda.source');
    expect(lambda(5 as never)).toBe('lambda.source');
    expect(
      lambda(
        class A {
          readonly a = 1;
        } as unknown as () => void,
      ),
    ).toBe('lambda.source');
    expect(lambda(shout.bind(undefined))).toBe('lambda.source');
    expect(lambda(async (t: Case) => t)).toBe('lambda.source');
  });
});
