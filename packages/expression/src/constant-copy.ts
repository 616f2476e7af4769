import { checked, flagsOf, ownEntries, lengthOf, readOwn, setOwn, sourceOf, timeOf, typeOf } from './eval-value.ts';
import { type Run, type Site, fail } from './run.ts';

/** A value that belongs to the plan: nobody who changes the tree, or what an evaluation returns, changes it. */
export interface OwnedConstant {
  readonly value: unknown;
  /** It holds a Date or a RegExp, which cannot be frozen: every evaluation gets a copy. */
  readonly mutable: boolean;
}

export const ownConstant = (run: Run, value: unknown, at: Site, depth = 1): OwnedConstant => {
  if (depth > run.limits.depth) fail('limit.depth', at, 'The constant is nested too deeply');
  switch (typeOf(checked(value, at))) {
    case 'date':
    case 'regexp':
      return { value: copyOf(value), mutable: true };
    case 'array': {
      const parts: OwnedConstant[] = [];
      for (let index = 0; index < lengthOf(value as object); index++)
        parts.push(ownConstant(run, readOwn(value as object, index, at), at, depth + 1));
      return { value: Object.freeze(parts.map((part) => part.value)), mutable: parts.some((part) => part.mutable) };
    }
    case 'object': {
      const copy: Record<string, unknown> = {};
      let mutable = false;
      run.left = Infinity;
      for (const [key, property] of ownEntries(run, value as object, at)) {
        const part = ownConstant(run, property, at, depth + 1);
        setOwn(copy, key, part.value);
        mutable ||= part.mutable;
      }
      return { value: Object.freeze(copy), mutable };
    }
    case 'undefined':
    case 'null':
    case 'boolean':
    case 'number':
    case 'bigint':
    case 'string':
      return { value, mutable: false };
  }
};

/** A copy with its own Dates and RegExps, of a constant that the plan owns. */
export const copyOf = (value: unknown): unknown => {
  switch (typeOf(value)) {
    case 'date':
      return new Date(timeOf(value as Date));
    case 'regexp':
      return new RegExp(sourceOf(value as RegExp), flagsOf(value as RegExp));
    case 'array':
      return (value as unknown[]).map(copyOf);
    case 'object': {
      const copy: Record<string, unknown> = {};
      for (const [key, property] of Object.entries(value as object)) setOwn(copy, key, copyOf(property));
      return copy;
    }
    case 'undefined':
    case 'null':
    case 'boolean':
    case 'number':
    case 'bigint':
    case 'string':
      return value;
  }
};
