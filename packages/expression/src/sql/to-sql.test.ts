import { describe, expect, test } from 'vitest';
import { type Catalogue, ExpressionError, type Node, build, parseText, toSql } from '../index.ts';

const CATALOGUE: Catalogue = {
  fields: {
    status: { type: 'enum', values: ['passed', 'failed'] },
    retries: { type: 'number', nullable: true },
    title: { type: 'string' },
    duration: { type: 'duration', column: 'duration_ms' },
    tags: { type: 'strings' },
    value: { type: 'strings' },
    owner: { type: 'object', fields: { name: { type: 'string' }, 'odd name': { type: 'string' } } },
  },
};

const read = (text: string): Node => {
  const result = parseText(text, { captures: ['wanted'] });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.tree;
};

describe('the SQL of a predicate', () => {
  const headline = read(
    "t => t.status === 'failed' && t.retries > 0 && t.title.toLowerCase().includes('login') && t.duration / 1000 >= 2.5",
  );

  test('on SQLite', () => {
    expect(toSql(headline, CATALOGUE, 'sqlite')).toEqual({
      sql: `("status" = ?) AND ("retries" > ? AND "retries" IS NOT NULL) AND (instr(lower(replace(replace("title", '\u212A', 'k'), '\u0130', 'i\u0307')), ?) > 0) AND (((CAST("duration_ms" AS REAL) / ?) >= ?) IS TRUE)`,
      params: ['failed', 0, 'login', 1000, 2.5],
      residual: null,
    });
  });

  test('on PostgreSQL', () => {
    const { sql, params, residual } = toSql(headline, CATALOGUE, 'postgres');
    expect(sql).toContain(`("status" = $1::text) AND ("retries" > $2::double precision AND "retries" IS NOT NULL)`);
    expect(params.slice(0, 3)).toEqual(['failed', 0, 'login']);
    expect(params).toContain(1000);
    expect(residual).toBeNull();
  });
});

test('a value never becomes text of the statement', () => {
  const text = `'); DROP TABLE rows; --`;
  const tree = build.binary('===', build.member(build.param('t'), 'title'), build.constant(text));
  for (const dialect of ['sqlite', 'postgres'] as const) {
    const { sql, params } = toSql(tree, CATALOGUE, dialect);
    expect(sql).not.toContain('DROP');
    expect(params).toEqual([text]);
  }
});

test('an unknown field is an error that names the nearest one, also in what would be left over', () => {
  const tree = read('t.title.trim() === t.stauts');
  const failure = expect(() => toSql(tree, CATALOGUE, 'sqlite'));
  failure.toThrow(ExpressionError);
  failure.toThrow('There is no field "stauts"; did you mean "status"?');
  expect(() => toSql(read('t.constructor'), CATALOGUE, 'sqlite')).toThrow('There is no field "constructor"');
  expect(() => toSql(read('t.owner.nmae === 1'), CATALOGUE, 'sqlite')).toThrow('no field "nmae"; did you mean "name"?');
  expect(() => toSql(read('t.__defineGetter__'), CATALOGUE, 'sqlite')).toThrow('There is no field');
});

test('a member of another value that has the name of the row is no field', () => {
  const tree = read('t.tags.some(t => t.nothing === 1)');
  expect(toSql(tree, CATALOGUE, 'sqlite').residual).toEqual(tree);
});

test('what is left has the shape of the tree', () => {
  const lambda = toSql(read("run => run.retries > 0 && run.title.trim() === 'a'"), CATALOGUE, 'sqlite');
  expect(lambda.residual).toEqual(read("run => run.title.trim() === 'a'"));
  const body = toSql(read("t.retries > 0 && t.title.trim() === 'a'"), CATALOGUE, 'sqlite');
  expect(body.residual).toEqual(read("t.title.trim() === 'a'"));
  expect(body.sql).toBe('("retries" > ? AND "retries" IS NOT NULL)');
});

test('nothing that can be pushed down gives TRUE', () => {
  const tree = read("t.title.trim() === 'a'");
  expect(toSql(tree, CATALOGUE, 'postgres')).toEqual({ sql: 'TRUE', params: [], residual: tree });
});

test('captures are bound from the scope, else left to memory', () => {
  const tree = read('t.title === wanted');
  expect(toSql(tree, CATALOGUE, 'sqlite', { scope: { wanted: 'x' } }).params).toEqual(['x']);
  expect(toSql(tree, CATALOGUE, 'sqlite').residual).toEqual(tree);
});

test('what the scope alone decides is folded, but no function is called', () => {
  const scope = { viewer: { orgId: 'o1', names: ['a', 'B'] }, limit: 2, fail: () => expect.unreachable() };
  const sqlOf = (text: string) => toSql(read(text), CATALOGUE, 'sqlite', { scope });
  expect(sqlOf('t.title === @viewer.orgId')).toEqual({ sql: '("title" = ?)', params: ['o1'], residual: null });
  expect(sqlOf('t.retries >= @limit * 10 ** 3').params).toEqual([2000]);
  expect(sqlOf('@viewer.names.map(x => x.toLowerCase()).includes(t.title)').params).toEqual(['a', 'b']);
  expect(sqlOf('t.title of @viewer.names').params).toEqual(['a', 'B']);
  expect(sqlOf('t.retries > Math.PI').params).toEqual([Math.PI]);
  expect(sqlOf('@viewer.orgId === "o1" && t.title === "x"')).toMatchObject({ residual: null, params: ['x'] });
  for (const text of ['t.title === @fail("x")', 't.title === @viewer.none.x', 't.title === @none.x'])
    expect(sqlOf(text).residual).toEqual(read(text));
});

test('a name that a path in JSON would have to quote is left to memory', () => {
  const tree = read('t.owner["odd name"] === "x" && t.owner.name === "y"');
  const { sql, residual } = toSql(tree, CATALOGUE, 'postgres');
  expect(sql).toBe(`(("owner"::jsonb #>> '{name}') = $1::text)`);
  expect(residual).toEqual(read('t.owner["odd name"] === "x"'));
});

test('columns are named with their table when it is given', () => {
  const { sql } = toSql(read("t.title === 'x'"), CATALOGUE, 'sqlite', { table: 'runs' });
  expect(sql).toBe('("runs"."title" = ?)');
});

test('a column that SQLite would take for one of json_each is left to memory, unless its table is named', () => {
  const tree = read("t.value.includes('x')");
  expect(toSql(tree, CATALOGUE, 'sqlite').residual).toEqual(tree);
  expect(toSql(tree, CATALOGUE, 'sqlite', { table: 'runs' }).residual).toBeNull();
});

test('a predicate has one parameter', () => {
  expect(() => toSql(read('(a, b) => a'), CATALOGUE, 'sqlite')).toThrow('one parameter');
});

test('depth and length end in memory, not in an overflow', () => {
  const title = build.member(build.param('t'), 'title');
  let deep: Node = title;
  for (let depth = 0; depth < 20_000; depth++) deep = build.unary('!', deep);
  const result = toSql(deep, CATALOGUE, 'postgres');
  expect([result.sql, result.residual === deep]).toEqual(['TRUE', true]);

  let wide: Node = title;
  for (let level = 0; level < 14; level++) wide = build.binary('+', wide, wide);
  expect(toSql(wide, CATALOGUE, 'postgres').sql).toBe('TRUE');
});
