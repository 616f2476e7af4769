import type { Site } from '../run.ts';
import { copyData } from '../value.ts';

/** A value that belongs to the plan: nobody who changes the tree, or what an evaluation returns, changes it. */
export interface OwnedConstant {
  readonly value: unknown;
  /** It holds a Date or a RegExp, which cannot be frozen: every evaluation gets a copy. */
  readonly mutable: boolean;
}

export const ownConstant = (given: unknown, at: Site): OwnedConstant => {
  let mutable = false;
  const value = copyData(given, at, {
    visit: (_part, type) => {
      mutable ||= type === 'date' || type === 'regexp';
    },
    finish: Object.freeze,
  });
  return { value, mutable };
};
