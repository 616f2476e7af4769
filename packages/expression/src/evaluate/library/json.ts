import { type Site, charge, chargeSlowText, limit } from '../run.ts';
import { type ValueType, copyData } from '../value.ts';

export const checkParsed = (parsed: unknown, at: Site): unknown =>
  copyData(parsed, at, {
    finish: (copy) => {
      limit('outputArrayLength', Object.keys(copy).length, at);
      return copy;
    },
  });

const VISIT_STEPS = 10;
const DATE_STEPS = 16;

/** Own data only: no `toJSON` is ever called. */
export const prepareStringify = (_self: unknown, args: unknown[], at: Site): void => {
  const [value, , given] = args;
  const space = typeof given === 'string' || typeof given === 'number' ? given : '';
  const gap = Math.min(10, typeof space === 'string' ? space.length : Math.max(0, Math.trunc(space) || 0));
  let least = 0;
  /** The text will be at least as long as all that was visited: nothing is made that is much too long. */
  const visit = (part: unknown, type: ValueType, depth: number, key: string): void => {
    charge(type === 'date' ? VISIT_STEPS + DATE_STEPS : VISIT_STEPS, at);
    if (part === undefined) return;
    const length = type === 'string' ? (part as string).length : 0;
    limit('outputStringLength', (least += 1 + gap * (depth - 1) + key.length + length), at);
    chargeSlowText(length, at);
  };
  args[0] = copyData(value, at, {
    visit,
    // Without a prototype the engine finds no `toJSON`.
    finish: (copy) => Object.setPrototypeOf(copy, null) as object,
  });
  args[2] = space;
};
