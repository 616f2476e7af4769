import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Surface } from '../text/parse-text.ts';
import type { Completion } from './item.ts';
import { completeJs } from './js.ts';
import { completeSearch } from './search.ts';

/**
 * What may come next at the cursor, best first, and what of the text it would replace. The text may be broken; a cursor
 * that is no number is taken for its end.
 */
export function complete(
  text: string,
  cursor: number,
  catalogue: Catalogue,
  options: { readonly surface?: Surface | undefined } = {},
): Completion {
  const at = Number.isNaN(cursor) ? text.length : Math.max(0, Math.min(Math.trunc(cursor), text.length));
  return options.surface === 'search' ? completeSearch(text, at, catalogue) : completeJs(text, at, catalogue);
}
