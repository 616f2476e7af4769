import { SHORT, isNullish, readCapture, readIndex, readMember } from '../access.ts';
import type { CaptureOp, IndexOp, MemberOp } from '../plan/operation.ts';
import { isNoValue } from '../value.ts';
import type { Builder, Closure } from './builder.ts';
import { readAtPlace } from './places.ts';

export const captureClosure = (capture: CaptureOp, { plain }: Builder): Closure => {
  const { name, run } = capture;
  const { scope } = run;
  const read = (): unknown => readCapture(capture);
  if (!plain || capture.mayMiss) return read;
  const readPlain = readAtPlace(name, () => scope, read, undefined, 0);
  return (slots) => {
    const value = readPlain(slots);
    return value === undefined ? read() : value;
  };
};

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
  const slot = object.kind === 'Param' && object.input ? object.slot : undefined;
  return readAtPlace(name, base, read, slot, builder.plainSlots + (slot ?? 0));
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
