import { SHORT, isNullish, isPlain, readCapture, readIndex, readMember } from '../access.ts';
import type { CaptureOp, IndexOp, MemberOp } from '../plan/operation.ts';
import { type Builder, type Closure, isNoValue } from './builder.ts';
import { readerOf } from './names.ts';

export const captureClosure = (capture: CaptureOp, { plain }: Builder): Closure => {
  const { name, run } = capture;
  const { scope } = run;
  if (!plain || capture.mayMiss || !isPlain(scope)) return () => readCapture(capture);
  const readPlain = readerOf(name);
  return () => {
    const value = readPlain(scope);
    return value === undefined || isNoValue(value) ? readCapture(capture) : value;
  };
};

/** The closures for plain data are short: engines inline only so much. */
export const memberClosure = (operation: MemberOp, builder: Builder): Closure => {
  const { prop: name, optional, object } = operation;
  const base = builder.link(object);
  const read = (value: unknown): unknown => {
    if (value === SHORT || (optional && isNullish(value))) return SHORT;
    return readMember(value, name, operation);
  };
  if (!builder.plain) return (slots) => read(base(slots));
  if (name === 'length')
    return (slots) => {
      const value = base(slots);
      return Array.isArray(value) || typeof value === 'string' ? value.length : read(value);
    };
  const readPlain = readerOf(name);
  if (object.kind === 'Param') {
    const { slot, input } = object;
    const plainSlot = builder.plainSlots + slot;
    return (slots) => {
      const row = slots[slot];
      if (input ? slots[plainSlot] === true : isPlain(row)) {
        const value = readPlain(row as Record<string, unknown>);
        if (!isNoValue(value)) return value;
      }
      return read(base(slots));
    };
  }
  return (slots) => {
    const row = base(slots);
    if (isPlain(row)) {
      const value = readPlain(row);
      if (!isNoValue(value)) return value;
    }
    return read(row);
  };
};

export const indexClosure = (operation: IndexOp, builder: Builder): Closure => {
  const object = builder.link(operation.object);
  const index = builder.closure(operation.index);
  const { plain } = builder;
  return (slots) => {
    const base = object(slots);
    if (base === SHORT || (operation.optional && isNullish(base))) return SHORT;
    const key = index(slots);
    if (
      plain &&
      typeof key === 'number' &&
      Array.isArray(base) &&
      Number.isInteger(key) &&
      key >= 0 &&
      key < base.length
    ) {
      const value: unknown = base[key];
      if (!isNoValue(value)) return value;
    }
    return readIndex(base, key, operation);
  };
};
