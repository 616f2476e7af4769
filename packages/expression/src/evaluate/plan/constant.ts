import type { Run, Site } from '../run.ts';
import { checked, findElement, flagsOf, ownEntries, setOwn, sourceOf, timeOf, typeOf, withinDepth } from '../value.ts';

/** A value that belongs to the plan: nobody who changes the tree, or what an evaluation returns, changes it. */
export interface OwnedConstant {
  readonly value: unknown;
  /** It holds a Date or a RegExp, which cannot be frozen: every evaluation gets a copy. */
  readonly mutable: boolean;
  /** The steps that such a copy costs. */
  readonly copySteps: number;
}

export const ownConstant = (run: Run, value: unknown, at: Site, depth = 1): OwnedConstant => {
  withinDepth(run, depth, at);
  const type = typeOf(checked(value, at));
  if (type === 'date') return { value: copyOf(value), mutable: true, copySteps: 1 };
  if (type === 'regexp')
    return { value: copyOf(value), mutable: true, copySteps: 1 + (sourceOf(value as RegExp).length >> 4) };
  if (type !== 'array' && type !== 'object') return { value, mutable: false, copySteps: 1 };
  run.left = Infinity;
  let mutable = false;
  let copySteps = 1;
  const own = (part: unknown): unknown => {
    const owned = ownConstant(run, part, at, depth + 1);
    mutable ||= owned.mutable;
    copySteps += owned.copySteps;
    return owned.value;
  };
  const copy: unknown[] | Record<string, unknown> = type === 'array' ? [] : {};
  if (Array.isArray(copy)) findElement(run, value as object, at, (part) => void copy.push(own(part)), { holes: true });
  else for (const [key, part] of ownEntries(run, value as object, at)) setOwn(copy, key, own(part));
  return { value: Object.freeze(copy), mutable, copySteps };
};

/** A copy with its own Dates and RegExps, of a constant that the plan owns. */
export const copyOf = (value: unknown): unknown => {
  const type = typeOf(value);
  if (type === 'date') return new Date(timeOf(value as Date));
  if (type === 'regexp') return new RegExp(sourceOf(value as RegExp), flagsOf(value as RegExp));
  if (type === 'array') return (value as unknown[]).map(copyOf);
  if (type !== 'object') return value;
  const copy: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(value as object)) setOwn(copy, key, copyOf(property));
  return copy;
};
