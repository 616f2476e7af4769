import { utf8Length } from '../tree/bounds.ts';
import type { Result } from '../tree/issue.ts';
import { LIBRARY_LIMITS, type Limits } from '../tree/limits.ts';
import type { Node } from '../tree/node.ts';
import { openSource, reportLimit, type Source } from './source.ts';
import { checkWhole } from './whole-tree.ts';

type Read = (text: string, limits: Limits) => Result<Node, 'tree'>;

/** Reads a text within the limits; of one that is too long it is told too which other limits its beginning crosses. */
export function readWithin(text: string, given: Partial<Limits> | undefined, read: Read): Result<Node, 'tree'> {
  const limits = given ? { ...LIBRARY_LIMITS, ...given } : LIBRARY_LIMITS;
  // A text is encoded only where it may matter.
  const mayFit = text.length <= limits.textBytes && text.length * 3 > limits.textBytes;
  const bytes = mayFit ? utf8Length(text) : text.length;
  if (bytes <= limits.textBytes) return read(text, limits);
  const source = openSource(text, limits);
  reportLimit(source, 'textBytes', bytes, 0, text.length);
  const rest = read(text.slice(0, limits.textBytes), limits);
  const crossed = rest.ok ? [] : rest.issues.filter(({ code }) => code.startsWith('limit.'));
  return { ok: false, issues: [...source.issues, ...crossed] };
}

/** The tree, if nothing was found wrong; checked as a whole where the parser could not tell. */
export function finish(source: Source, tree: Node, whole: boolean): Result<Node, 'tree'> {
  if (whole && source.issues.length === 0) checkWhole(source, tree);
  if (source.issues.length === 0) return { ok: true, tree };
  return { ok: false, issues: source.issues.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0)) };
}
