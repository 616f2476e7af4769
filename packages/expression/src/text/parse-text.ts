import type { Result } from '../tree/issue.ts';
import type { Limits } from '../tree/limits.ts';
import type { Node } from '../tree/node.ts';
import { readAll } from './js.ts';
import { openParser } from './parser.ts';
import { finish, readWithin } from './within-limits.ts';

export interface ParseTextOptions {
  readonly limits?: Partial<Limits> | undefined;
  /** Whether nodes carry where they were in the text; false by default. */
  readonly spans?: boolean | undefined;
  /** Free names that are captures; all others but the globals are parameters. */
  readonly captures?: Iterable<string> | undefined;
}

/**
 * Reads JavaScript's expressions to a tree. All that is wrong is reported at once, with where it is; nothing is ever thrown
 * for a text.
 */
export function parseText(
  text: string,
  { limits: given, spans, captures: names }: ParseTextOptions = {},
): Result<Node, 'tree'> {
  const captures = names && new Set(names);
  return readWithin(text, given, (part, limits) => {
    const parser = openParser(part, { limits, spans, captures });
    const tree = readAll(parser);
    return finish(parser, tree, parser.whole || part.length > limits.depth);
  });
}
