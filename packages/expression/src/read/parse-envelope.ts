import type { Result } from '../tree/issue.ts';
import type { Node } from '../tree/node.ts';
import type { Envelope } from '../write/serialize.ts';
import { read } from './read.ts';
import { type ReadOptions, startReading } from './reading.ts';

/**
 * Reads an envelope: a string is JSON text, anything else a value as `JSON.parse` gives it. Never throws and never runs
 * code of the value: it looks at own enumerable data properties only. The tree is frozen in depth and shares nothing
 * with the input; constants hold their values, among them `Date` and `RegExp` objects that are frozen too. A frozen
 * `RegExp` cannot move its `lastIndex`; a frozen `Date` can still be set, so copy it before handing it out.
 *
 * With `mode: 'shape'` it gives the envelope itself, to be stored or forwarded: what the text says, or the given value.
 */
export function parseEnvelope(
  input: unknown,
  options: ReadOptions & { readonly mode: 'shape' },
): Result<Envelope, 'envelope'>;
export function parseEnvelope(input: unknown, options?: ReadOptions): Result<Node, 'tree'>;
export function parseEnvelope(
  input: unknown,
  options?: ReadOptions,
): Result<Node, 'tree'> | Result<Envelope, 'envelope'> {
  const job = startReading(input, options);
  const envelope = read(job) as { readonly root: Node };
  const { issues } = job.reading;
  if (issues.length > 0) return { ok: false, issues };
  return options?.mode === 'shape' ? { ok: true, envelope: job.raw as Envelope } : { ok: true, tree: envelope.root };
}

/** Whether `parseEnvelope` reads a value that is no text. */
export const isEnvelope = (value: unknown, options?: ReadOptions): value is Envelope =>
  typeof value === 'object' && parseEnvelope(value, options).ok;
