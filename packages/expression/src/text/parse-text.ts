import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Issue, Result } from '../tree/issue.ts';
import { LIBRARY_LIMITS, type Limits } from '../tree/limits.ts';
import type { Node } from '../tree/node.ts';
import { readAll } from './js.ts';
import { openParser } from './parser.ts';
import { readSearch } from './search.ts';
import { openSource, reportLimit, type Source } from './source.ts';
import { checkWhole } from './whole-tree.ts';

/** `js` is JavaScript's expressions, `search` is `status:failed retries:>0 "log in"`. */
export type Surface = 'js' | 'search';

export interface ParseTextOptions {
  readonly surface?: Surface | undefined;
  /** What a row holds; the search surface reads by it. */
  readonly catalogue?: Catalogue | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Whether nodes carry where they were in the text; false by default. */
  readonly spans?: boolean | undefined;
  /** JavaScript surface: free names that are captures; all others but the globals are parameters. */
  readonly captures?: Iterable<string> | undefined;
  /** Search surface: what relative times such as `-7d` count from; left out, the tree asks `Date.now()`. */
  readonly now?: Date | number | undefined;
}

/** Reads a text to a tree. All that is wrong is reported at once, with where it is; nothing is ever thrown for a text. */
export function parseText(text: string, options: ParseTextOptions = {}): Result<Node, 'tree'> {
  const limits = options.limits === undefined ? LIBRARY_LIMITS : { ...LIBRARY_LIMITS, ...options.limits };
  const bytes = utf8Length(text, limits.textBytes);
  if (bytes > limits.textBytes) {
    const source = openSource(text, limits);
    reportLimit(source, 'textBytes', bytes, 0, text.length);
    const rest = read(text.slice(0, limits.textBytes), options, limits);
    const crossed = rest.ok ? [] : rest.issues.filter(({ code }) => code.startsWith('limit.'));
    return { ok: false, issues: [...source.issues, ...crossed] };
  }
  return read(text, options, limits);
}

function read(text: string, options: ParseTextOptions, limits: Limits): Result<Node, 'tree'> {
  if (options.surface === 'search') {
    const source = openSource(text, limits);
    const tree = readSearch(source, options.catalogue ?? { fields: {} }, options);
    return finish(source, tree, true);
  }
  const captures = options.captures === undefined ? undefined : new Set(options.captures);
  const parser = openParser(text, { limits, spans: options.spans, captures });
  const tree = readAll(parser);
  return finish(parser, tree, parser.whole || text.length > limits.depth);
}

/** The tree, if nothing was found wrong; checked as a whole where the parser could not tell. */
export function finish(source: Source, tree: Node, whole: boolean): Result<Node, 'tree'> {
  if (whole && source.issues.length === 0) checkWhole(source, tree);
  return source.issues.length === 0 ? { ok: true, tree } : { ok: false, issues: inOrder(source.issues) };
}

const inOrder = (issues: readonly Issue[]): readonly Issue[] =>
  [...issues].sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));

/** In bytes of UTF-8, counted only where it may matter. */
function utf8Length(text: string, limit: number): number {
  if (text.length * 3 <= limit || text.length > limit) return text.length;
  let bytes = 0;
  for (const char of text) {
    const point = char.codePointAt(0)!;
    bytes += point < 0x80 ? 1 : point < 0x8_00 ? 2 : point < 0x1_00_00 ? 3 : 4;
  }
  return bytes;
}
