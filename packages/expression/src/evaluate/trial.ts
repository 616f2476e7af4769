import type { Reading } from './code/writer.ts';
import type { Call, Run } from './run.ts';
import { lengthOf } from './value.ts';

/** Few enough to be over before engines optimise what asks whether the trial is over. */
const CALLS_TRIED = 100;

/**
 * Reading an accessor runs it, and engines have no cheap way to tell one from data. So the data of the first calls of a
 * compiled function is looked through. If there was no accessor in it, all calls read plainly. What a function of the host
 * gives is seen only when it is read, so that trees which call one check every read until then.
 *
 * Nothing is run that is not needed: what engines learn of checked reads would slow down the plain ones.
 */
export const startTrial = (run: Run, build: (reading: Reading) => Call): Call => {
  // Its field is written once, when it is added: engines take it for a constant and leave the question out.
  const gate: { call?: Call } = {};
  let call = build(run.callsHost ? 'checked' : 'plain');
  let found: Reading = 'plain';
  let calls = 0;
  const tryCall: Call = (params) => {
    const reading = readingOf([params, run.scope], found);
    if (reading !== found && !run.callsHost) call = build(reading);
    found = reading;
    try {
      return call(params);
    } finally {
      if (++calls >= CALLS_TRIED) gate.call = run.callsHost ? build(run.metAccessor ? 'checked' : found) : call;
    }
  };
  return (params) => {
    const { call: settled } = gate;
    return settled === undefined ? tryCall(params) : settled(params);
  };
};

/** Bounds the look at one call's data. What has more than this is never trusted. */
const LOOKED_AT = 1000;

/** How data may be read. Looks at all of it, whatever the tree reads: a tree could hide a read until the trial is over. */
const readingOf = (roots: readonly unknown[], before: Reading): Reading => {
  const found = new Set<unknown>(roots);
  let reading = before;
  try {
    for (const value of found) {
      if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
      const isBare = Object.getPrototypeOf(value) === null;
      if (isBare && reading === 'plain') reading = 'bare';
      if (!isBare && !(value instanceof Object)) return 'checked';
      if (Array.isArray(value) && lengthOf(value) > LOOKED_AT) return 'checked';
      for (const key of Reflect.ownKeys(value)) {
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
