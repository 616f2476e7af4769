import type { Reading } from './code/writer.ts';
import type { Call, Run } from './run.ts';
import { lengthOf } from './value.ts';

/** Few enough to be over before engines optimise what asks whether the trial is over. */
const CALLS_TRIED = 100;

/**
 * Reading an accessor runs it, and engines have no cheap way to tell one from data. So a compiled function checks every
 * read in its first calls, and looks through their data. If none of them met an accessor, it reads plainly from then on.
 */
export const startTrial = (run: Run, checkedCall: Call, build: (reading: Reading) => Call): Call => {
  // Its field is written once, when it is added: engines take it for a constant and leave the question out.
  const gate: { call?: Call } = {};
  const found = new Set<Reading>();
  let calls = 0;
  const tryCall: Call = (params) => {
    try {
      found.add(readingOf([params, run.scope]));
      return checkedCall(params);
    } finally {
      if (++calls >= CALLS_TRIED)
        gate.call = run.metAccessor || found.has('checked') ? checkedCall : build(found.has('bare') ? 'bare' : 'plain');
    }
  };
  return (params) => {
    const { call } = gate;
    return call === undefined ? tryCall(params) : call(params);
  };
};

/** Bounds the look at one call's data. What has more than this is never trusted. */
const LOOKED_AT = 1000;

/** No method of the array is asked: it may be another's. */
const indicesOf = (array: object): string[] => Array.from({ length: lengthOf(array) }, (_, index) => `${index}`);

/** How data may be read. Looks at all of it, whatever the tree reads: a tree could hide a read until the trial is over. */
const readingOf = (roots: readonly unknown[]): Reading => {
  const found = new Set<unknown>(roots);
  let reading: Reading = 'plain';
  try {
    for (const value of found) {
      if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
      if (Object.getPrototypeOf(value) === null) reading = 'bare';
      else if (!(value instanceof Object)) return 'checked';
      if (Array.isArray(value) && lengthOf(value) > LOOKED_AT) return 'checked';
      const keys = Array.isArray(value) ? indicesOf(value) : Reflect.ownKeys(value);
      for (const key of keys) {
        const descriptor = Object.getOwnPropertyDescriptor(value, key);
        if (descriptor && !Object.hasOwn(descriptor, 'value')) return 'checked';
        if (typeof descriptor?.value === 'object') found.add(descriptor.value);
        if (found.size > LOOKED_AT) return 'checked';
      }
    }
    return reading;
  } catch {
    // A proxy that the tree may never touch.
    return 'checked';
  }
};
