import type { Catalogue } from '../catalogue/catalogue.ts';
import { openSource } from '../text/source.ts';
import { finish, readWithin } from '../text/within-limits.ts';
import type { Result } from '../tree/issue.ts';
import type { Limits } from '../tree/limits.ts';
import type { Node } from '../tree/node.ts';
import { readSearch } from './read-search.ts';

export interface ParseSearchOptions {
  readonly limits?: Partial<Limits> | undefined;
  /** Whether nodes carry where they were in the line; false by default. */
  readonly spans?: boolean | undefined;
  /** What relative times such as `-7d` count from; left out, the tree asks `Date.now()`. */
  readonly now?: Date | number | undefined;
}

/**
 * Reads a search such as `status:failed retries:>0 "log in"` to a lambda over one row, by what the row holds. All that is
 * wrong is reported at once, with where it is; nothing is ever thrown for a text.
 */
export function parseSearch(
  text: string,
  catalogue: Catalogue,
  { limits: given, spans, now }: ParseSearchOptions = {},
): Result<Node, 'tree'> {
  return readWithin(text, given, (part, limits) => {
    const source = openSource(part, limits);
    return finish(source, readSearch(source, catalogue, { spans, now }), true);
  });
}
