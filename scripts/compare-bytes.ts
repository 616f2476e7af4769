import { expect } from 'vitest';

/** Vitest looks at bytes one by one, for seconds where there are megabytes. */
const sameBytes = (one: unknown, other: unknown): boolean | undefined =>
  Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined;

const KNOWN = Symbol.for('assay.compares-bytes');

// Files that share a process share what `expect` was taught.
if (!Reflect.has(globalThis, KNOWN)) {
  Reflect.set(globalThis, KNOWN, true);
  expect.addEqualityTesters([sameBytes]);
}
