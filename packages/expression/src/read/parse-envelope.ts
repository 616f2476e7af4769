import type { Result } from '../tree/issue.ts';
import type { Node } from '../tree/node.ts';
import { read } from './read.ts';
import { type ReadOptions, startReading } from './reading.ts';

/**
 * Reads an envelope: a string is JSON text, anything else a value as `JSON.parse` gives it. Never throws and never runs
 * code of the value: it looks at own enumerable data properties only. The tree is frozen in depth and shares nothing
 * with the input; constants hold their values, among them `Date` and `RegExp` objects that are frozen too. A frozen
 * `RegExp` cannot move its `lastIndex`; a frozen `Date` can still be set, so copy it before handing it out.
 */
export const parseEnvelope = (input: unknown, options?: ReadOptions): Result<Node, 'tree'> => {
  const job = startReading(input, options);
  const envelope = read(job) as { readonly root: Node };
  const { issues } = job.reading;
  return issues.length === 0 ? { ok: true, tree: envelope.root } : { ok: false, issues };
};
