import type { Issue } from '../tree/issue.ts';
import type { Limits } from '../tree/limits.ts';
import type { Node } from '../tree/node.ts';
import { report, reportLimit, type Source, stop } from './source.ts';
import { next } from './tokens.ts';

/** What the parser knows beside the text. */
export interface Parser extends Source {
  readonly spans: boolean;
  /** Free names that are captures and not inputs. */
  readonly captures: ReadonlySet<string> | undefined;
  /** What a free name stands for where the caller says so. */
  readonly resolve: ((name: string) => Node | undefined) | undefined;
  /** The names that each lambda around binds, innermost last. */
  readonly scopes: Scope[];
  /** How many underscores a name such as `$0` needs to be none that the text has; found when it is first asked for. */
  madeNames: ReadonlyMap<string, number> | undefined;
  /** The node that was last read between parentheses of its own: they matter to `??`, `**` and optional chains. */
  grouped: Node | undefined;
  nodes: number;
  nesting: number;
  readonly mostNesting: number;
  lambdas: number;
  /** Set where the tree must be checked as a whole: few characters may give many nodes, or a global object is named. */
  whole: boolean;
}

interface Binding {
  readonly param: string;
  /** The properties from the parameter to what a pattern takes out of it. */
  readonly path: readonly string[];
}

export interface Scope {
  readonly bindings: Map<string, Binding>;
  /** Parameters that have only a pattern, by the names that were made for them. */
  readonly made: Set<string>;
}

export interface ParserOptions {
  readonly limits: Limits;
  readonly spans?: boolean | undefined;
  readonly captures?: ReadonlySet<string> | undefined;
  readonly resolve?: ((name: string) => Node | undefined) | undefined;
}

/** A bound on the parser's own recursion, whatever the limits say: trees up to half as deep always read back. */
const MOST_NESTING = 600;

export function openParser(text: string, options: ParserOptions): Parser {
  // Arrays of their own: within the literal they would make it many times slower.
  const issues: Issue[] = [];
  const scopes: Scope[] = [];
  return {
    text,
    limits: options.limits,
    issues,
    stopped: false,
    pos: 0,
    token: 'end',
    start: 0,
    last: 0,
    strength: 0,
    value: '',
    number: 0,
    spans: options.spans === true,
    captures: options.captures,
    resolve: options.resolve,
    scopes,
    madeNames: undefined,
    grouped: undefined,
    nodes: 0,
    nesting: 0,
    // A level of the tree takes up to two in the text: its own and that of its parentheses.
    mostNesting: Math.min(MOST_NESTING, 2 * options.limits.depth + 8),
    lambdas: 0,
    whole: false,
  };
}

/** Not narrowing, as reading on changes the token. */
export const at = (parser: Parser, token: string): boolean => parser.token === token;

/** Whether a token is at hand; it is read over if it is. */
export function accept(parser: Parser, token: string): boolean {
  const found = parser.token === token;
  if (found) next(parser);
  return found;
}

/** Reads over a token that must stand here. */
export function take(parser: Parser, token: string, what = token): void {
  if (!accept(parser, token)) expected(parser, what);
}

export function skipTo(parser: Parser, ...tokens: readonly string[]): void {
  while (parser.token !== 'end' && !tokens.includes(parser.token)) next(parser);
}

/** Reads on to what closes the parentheses or braces that are open here. */
export function skipToClose(parser: Parser, open: string, close: string): void {
  for (let inner = 0; !at(parser, 'end') && (inner > 0 || !at(parser, close)); next(parser)) {
    if (at(parser, open)) inner++;
    else if (at(parser, close)) inner--;
  }
}

export const atWord = (parser: Parser, word: string): boolean => parser.token === 'name' && parser.value === word;

/** Counts a node and gives it its place. Nodes are not frozen here: that would take longer than reading them. */
export function done<N extends Node>(parser: Parser, node: N, start: number): N {
  if (++parser.nodes > parser.limits.nodes) {
    reportLimit(parser, 'nodes', parser.nodes, start, parser.last);
    stop(parser);
  }
  if (parser.spans) (node as { span?: unknown }).span = { start, end: Math.max(start, parser.last) };
  return node;
}

/** Stands where nothing could be read; a tree with it is never given out. */
export const MISSING: Node = Object.freeze({ kind: 'Constant', value: undefined });

/** Counts one level of recursion; false where there is no room for it. Every true is answered by `leave`. */
export function enter(parser: Parser): boolean {
  if (++parser.nesting <= parser.mostNesting) return true;
  const depth = Math.min(parser.limits.depth, MOST_NESTING / 2);
  reportLimit(parser, 'depth', parser.nesting, parser.start, parser.pos, depth);
  stop(parser);
  parser.nesting--;
  return false;
}

export const leave = (parser: Parser): void => {
  parser.nesting--;
};

/** How the token at hand reads in a message. */
export function describe(parser: Parser): string {
  if (parser.token === 'end') return 'the end of the text';
  const text = parser.text.slice(parser.start, Math.max(parser.start + 1, parser.pos));
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

export function expected(parser: Parser, what: string): void {
  const code = parser.token === 'end' ? 'text.expected' : 'text.unexpected';
  const message = `${what} is expected here, not ${describe(parser)}`;
  report(parser, code, parser.start, parser.pos, message, { expected: what });
}

export function unsupported(parser: Parser, start: number, end: number, message: string, instead?: string): void {
  report(parser, 'text.unsupported', start, end, message, instead === undefined ? undefined : { instead });
}

/** Says of the token at hand that the format has no such thing. */
export function refuse(parser: Parser, message: string, instead?: string): void {
  unsupported(parser, parser.start, parser.pos, message, instead);
}

export function refuseName(parser: Parser): void {
  report(parser, 'key.forbidden', parser.start, parser.pos, '__proto__ is never a name');
}
