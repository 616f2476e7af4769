import {
  type Catalogue,
  type Constant,
  ExpressionError,
  type Issue,
  type Limits,
  type Node,
  type Result,
  type Value,
  build,
  canonical,
  evaluate,
  parseEnvelope,
  parseSearch,
  parseText,
  print,
  serialize,
  toSql,
} from '@assay/expression';
import { type Request, readLines, writeLine } from './protocol.ts';

/** This library as a command that answers the vectors, line by line. */

interface Given extends Request {
  readonly input?: unknown;
  readonly text?: string;
  readonly root?: unknown;
  readonly mode?: 'strict' | 'lenient';
  readonly limits?: Partial<Limits>;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly scope?: Readonly<Record<string, unknown>>;
  readonly surface?: 'js' | 'search';
  readonly catalogue?: Catalogue;
  readonly captures?: readonly string[];
  readonly now?: string;
  readonly fields?: Catalogue['fields'];
  readonly rows?: readonly unknown[];
}

type Reply = Readonly<Record<string, unknown>>;

const treeOf = (result: Result<Node, 'tree'>): Node => {
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.tree;
};

const readRoot = (root: unknown): Node => treeOf(parseEnvelope({ v: 1, root }));
const decode = (value: unknown): Value => (readRoot({ kind: 'Constant', value }) as Constant).value;
const decodeAll = (values: Readonly<Record<string, unknown>> = {}): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decode(value)]));

/** A value as the vectors write it. */
const encode = (value: Value): unknown => {
  if (Object.is(value, -0)) return -0;
  if (Array.isArray(value)) return (value as readonly Value[]).map(encode);
  if (typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof RegExp)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item)]));
  }
  return value === undefined ? { $tag: 'undefined' } : serialize(build.constant(value)).root['value'];
};

const refusal = (issues: readonly Issue[], place: (issue: Issue) => Reply): Reply => ({
  issues: issues.map((issue) => ({ code: issue.code, ...place(issue) })),
});

const OPERATIONS: Readonly<Record<Request['operation'], (given: Given) => Reply>> = {
  read: ({ input, text, mode, limits }) => {
    const result = parseEnvelope(text ?? input, { mode, limits });
    if (result.ok) return { ok: true, canonical: canonical(result.tree) };
    return { ok: false, ...refusal(result.issues, ({ path }) => ({ path })) };
  },
  evaluate: ({ root, params, scope }) => {
    try {
      return { value: encode(evaluate(readRoot(root), { params: decodeAll(params), scope: decodeAll(scope) })) };
    } catch (error) {
      if (error instanceof ExpressionError) return { error: error.code, path: error.path };
      throw error;
    }
  },
  parse: ({ text, surface, catalogue, captures, limits, now }) => {
    const result =
      surface === 'search'
        ? parseSearch(text!, catalogue ?? { fields: {} }, {
            limits,
            now: now === undefined ? undefined : new Date(now),
          })
        : parseText(text!, { captures, limits });
    if (result.ok) return { root: serialize(result.tree).root };
    return refusal(result.issues, ({ span }) => ({ span: [span?.start, span?.end] }));
  },
  print: ({ root }) => ({ text: print(readRoot(root)) }),
  select: ({ fields, text, root, rows }) => {
    const catalogue: Catalogue = { fields: fields! };
    const tree = text === undefined ? readRoot(root) : treeOf(parseText(text));
    const [row = 't'] = tree.kind === 'Lambda' ? tree.params : [];
    const matches = rows!.flatMap((given, at) => (isMatch(tree, { [row]: decode(given) }) ? at : []));
    const { sql, residual } = toSql(tree, catalogue, 'sqlite');
    return { matches, pushed: residual === null ? 'all' : sql === 'TRUE' ? 'none' : 'part' };
  },
};

/** A row for which the predicate fails does not match. */
const isMatch = (tree: Node, params: Readonly<Record<string, Value>>): boolean => {
  try {
    return Boolean(evaluate(tree, { params }));
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
};

const answer = (given: Given): Reply => {
  const operation = OPERATIONS[given.operation] as (typeof OPERATIONS)['read'] | undefined;
  if (operation === undefined) return { skipped: true };
  try {
    return operation(given);
  } catch (error) {
    return { failure: String(error) };
  }
};

for await (const line of readLines(process.stdin)) {
  const given = JSON.parse(line) as Given;
  process.stdout.write(writeLine({ id: given.id, ...answer(given) }));
}
