import type { Result } from '../tree/issue.ts';
import { LIBRARY_LIMITS, type Limits } from '../tree/limits.ts';
import type { Node } from '../tree/node.ts';
import { isPlainValue } from '../typed/lift.ts';
import { lambda, openScope, params } from './arrows.ts';
import { expression, readAll } from './js.ts';
import { constant, openMake } from './make.ts';
import { isGlobal } from './names.ts';
import { accept, at, atWord, expected, MISSING, openParser, type Parser, unsupported } from './parser.ts';
import { report } from './source.ts';
import { next } from './tokens.ts';
import { finish } from './within-limits.ts';

export interface FromLambdaOptions {
  /** Values of the names that the function takes from around it. */
  readonly scope?: Readonly<Record<string, unknown>> | undefined;
  /** Names from around it that the evaluation gives values to. */
  readonly captures?: Iterable<string> | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly spans?: boolean | undefined;
}

type AnyFunction = (...args: never[]) => unknown;

/**
 * The tree of a function, read from its own source: an arrow function, or a function whose body is one `return`.
 * Spans are places in that source. A name from around it becomes its value in `scope`, as a constant; a function there
 * and a name of `captures` become captures. Any other name is refused.
 */
export function fromLambda(fn: AnyFunction, options: FromLambdaOptions = {}): Result<Node, 'tree'> {
  if (typeof fn !== 'function') {
    const message = 'A function is wanted: only its source can be read';
    return { ok: false, issues: [{ code: 'lambda.source', path: '', message }] };
  }
  const text = Function.prototype.toString.call(fn);
  const limits = { ...LIBRARY_LIMITS, ...options.limits };
  const scope = options.scope ?? {};
  const captures = new Set(options.captures);
  const refuse = (code: string, name: string, message: string): Node => {
    report(parser, code, parser.last - name.length, parser.last, message, { name });
    return MISSING;
  };
  const resolve = (name: string): Node | undefined => {
    const captured = Object.getOwnPropertyDescriptor(scope, name);
    if (captured && 'value' in captured) {
      const value: unknown = captured.value;
      if (typeof value === 'function') return { kind: 'Capture', name };
      if (isPlainValue(value)) return constant(openMake(false), value, 0, 0);
      return refuse('constant.unsupported', name, `The value of ${name} fits no constant`);
    }
    if (captures.has(name)) return { kind: 'Capture', name };
    return isGlobal(name) ? undefined : refuse('lambda.undeclared', name, `${name} is undeclared: ${DECLARE}`);
  };
  const parser = openParser(text, { limits, spans: options.spans, resolve });
  parser.whole = true;
  const tree = /^(?:async\b\s*)?function\b/.test(text) ? readFunction(parser) : readArrow(parser);
  return finish(parser, tree, true);
}

const DECLARE =
  'give its value in `scope`, or list it in `captures` and give its value to the evaluation. ' +
  'Where a minifier renames variables, use `where` or `parseText` instead';

function readArrow(parser: Parser): Node {
  const tree = readAll(parser);
  if (tree.kind === 'Lambda') return tree;
  const { text } = parser;
  parser.issues.length = 0;
  const native = /\{\s*\[native code\]\s*\}$/.test(text);
  const message = native
    ? 'The function is native or bound: it has no source'
    : /^async\b/.test(text)
      ? 'The function is async: an expression waits for nothing'
      : 'The function is no arrow function';
  report(parser, 'lambda.source', 0, text.length, message);
  return tree;
}

function readFunction(parser: Parser): Node {
  if (/\{\s*\[native code\]\s*\}$/.test(parser.text)) return readArrow(parser);
  next(parser);
  if (atWord(parser, 'async')) {
    unsupported(parser, parser.start, parser.pos, 'An expression waits for nothing');
    next(parser);
  }
  const { start } = parser;
  next(parser);
  if (at(parser, '*')) {
    unsupported(parser, parser.start, parser.pos, 'An expression yields nothing');
    next(parser);
  }
  accept(parser, 'name');
  if (!at(parser, '(')) expected(parser, '(');
  openScope(parser);
  const names = params(parser);
  if (!at(parser, '{')) expected(parser, '{');
  return lambda(parser, names, start, expression);
}
