import { SEARCH_UNIT } from './methods-string.ts';
import type { MethodCall } from './operation.ts';
import type { Run } from './run.ts';

const MAPPERS: ReadonlySet<string> = new Set(['toLowerCase', 'toUpperCase', 'trim', 'trimEnd', 'trimStart']);
const SEARCHES: ReadonlySet<string> = new Set(['includes', 'startsWith', 'endsWith']);

/** The length up to which such a call neither fails nor is charged: no character becomes more than three. */
export const shortMapper = (call: MethodCall, run: Run): number | undefined =>
  call.args.length === 0 && MAPPERS.has(call.name)
    ? Math.min(341, Math.floor(run.limits.outputStringLength / 3))
    : undefined;

/** The same for a search for a constant. */
export const shortSearch = (call: MethodCall): { most: number; part: string } | undefined => {
  const [arg] = call.args;
  if (call.args.length !== 1 || !SEARCHES.has(call.name) || arg?.op !== 'constant' || typeof arg.value !== 'string')
    return undefined;
  return { most: Math.floor((SEARCH_UNIT - 1) / Math.max(1, arg.value.length)), part: arg.value };
};
