import { SEARCH_PAIRS } from './library/string.ts';
import type { MethodCall } from './plan/operation.ts';
import { SLOW_TEXT } from './run.ts';

const MAPPERS: ReadonlySet<string> = new Set(['toLowerCase', 'toUpperCase', 'trim', 'trimEnd', 'trimStart']);
const SEARCHES: ReadonlySet<string> = new Set(['includes', 'startsWith', 'endsWith']);

/** The length up to which such a call neither fails nor is charged: no character becomes more than three. */
export const shortMapper = (call: MethodCall): number | undefined =>
  call.args.length === 0 && MAPPERS.has(call.name)
    ? Math.min(SLOW_TEXT, Math.floor(call.run.limits.outputStringLength / 3))
    : undefined;

/** The same for a search for a constant. */
export const shortSearch = (call: MethodCall): { most: number; part: string } | undefined => {
  const [arg] = call.args;
  if (call.args.length !== 1 || !SEARCHES.has(call.name) || arg?.kind !== 'Constant' || typeof arg.value !== 'string')
    return undefined;
  return { most: Math.floor(SEARCH_PAIRS / Math.max(1, arg.value.length)), part: arg.value };
};

/** A search in what a mapper gives, such as `title.toLowerCase().includes('x')`; `most` is of what is mapped. */
export const shortMappedSearch = (call: MethodCall): { inner: MethodCall; most: number; part: string } | undefined => {
  const inner = call.callee.object;
  const search = shortSearch(call);
  const mapper = inner.kind === 'Method' && !call.short ? shortMapper(inner) : undefined;
  if (!search || inner.kind !== 'Method' || mapper === undefined) return undefined;
  return { inner, most: Math.min(mapper, Math.floor(search.most / 3)), part: search.part };
};
