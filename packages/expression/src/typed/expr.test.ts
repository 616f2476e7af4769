import { describe, expect, it } from 'vitest';
import { type Built, type Expr, expr, fromLambda, parseText, print, treeOf, where } from '../index.ts';

interface Case {
  readonly status: 'passed' | 'failed' | 'timedOut';
  readonly retries: number;
  readonly title: string;
  readonly error: string | null;
  readonly tags: readonly string[];
  readonly startTime: Date;
  readonly flaky: boolean;
  readonly eq: number;
}

const printed = (build: (t: Expr<Case>) => Built): string => print(treeOf(build(expr<Case>())));

describe('the typed builder', () => {
  it('gives the tree that the same text gives', () => {
    const built = where<Case>((t) => t.status.eq('failed').and(t.retries.gt(0)));
    const parsed = parseText('t => t.status === "failed" && t.retries > 0');
    expect(parsed.ok && parsed.tree).toEqual(built);
  });

  it.each<[string, (t: Expr<Case>) => Built]>([
    ['t.title.toLowerCase().includes("login")', (t) => t.title.toLowerCase().includes('login')],
    ['t.status of ["failed", "timedOut"]', (t) => t.status.isIn(['failed', 'timedOut'])],
    ['t.error?.includes("x")', (t) => t.error.maybe.includes('x')],
    ['t.error === null || t.error === undefined', (t) => t.error.isNull()],
    ['t.retries > -1', (t) => t.retries.gt(-1)],
    ['t.retries / 1000 >= 2.5', (t) => t.retries.over(1000).gte(2.5)],
    ['(t.retries + 1) * 2', (t) => t.retries.plus(1).times(2)],
    ['t.tags.some(x => x.startsWith("a"))', (t) => t.tags.some((tag) => tag.startsWith('a'))],
    ['t.tags.map(x => x.length)', (t) => t.tags.map((tag) => tag.length)],
    ['t.startTime >= new Date("2026-01-01T00:00:00.000Z")', (t) => t.startTime.gte(new Date('2026-01-01'))],
    ['!t.flaky || t.flaky', (t) => t.flaky.not().or(t.flaky)],
    ['t.eq === 1', (t) => t.field('eq').eq(1)],
    ['t.error ?? "none"', (t) => t.error.else('none')],
    ['t.flaky ? 1 : "no"', (t) => t.flaky.choose(1, 'no')],
    ['t.error === undefined', (t) => t.error.eq(undefined)],
  ])('%s', (text, build) => {
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
    expect(printed((t) => t.title)).toBe('t.title');
  });
});

const lambda = (fn: (...args: never[]) => unknown, scope?: Record<string, unknown>): string => {
  const result = fromLambda(fn, { scope });
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

  it('binds what scope has: values as constants, functions as captures; what it lacks is a capture', () => {
    expect(lambda((t: Case) => t.retries > limit, { limit })).toBe('t => t.retries > 3');
    expect(lambda((t: Case) => t.retries > limit)).toBe('t => t.retries > @limit');
    expect(lambda((t: Case) => list.includes(t.title), { list })).toBe('t => const ["a", "b"].includes(t.title)');
    expect(lambda((t: Case) => shout(t.title), { shout })).toBe('t => @shout(t.title)');
    expect(lambda((t: Case) => t.title === Number('1').toFixed(limit), { limit: -2 })).toBe(
      't => t.title === Number("1").toFixed(-2)',
    );
  });

  it('runs no accessor of scope', () => {
    const scope = {
      get limit(): number {
        throw new Error('ran');
      },
    };
    expect(lambda((t: Case) => t.retries > limit, scope)).toBe('t => t.retries > @limit');
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
