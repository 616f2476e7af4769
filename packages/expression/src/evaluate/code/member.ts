import { readMember } from '../access.ts';
import type { MemberOp } from '../plan/operation.ts';
import { checked } from '../value.ts';
import { type Code, type Writer, linkCode, newTemp, ownTest, plainTest, refer } from './writer.ts';

export const memberCode = (operation: MemberOp, writer: Writer): Code => {
  const { prop: name, object } = operation;
  const key = JSON.stringify(name);
  if (!writer.plain || operation.short || name in Object.prototype) {
    const temp = newTemp(writer);
    const read = `readMember(${temp},${key},${refer(writer, operation)})`;
    return { js: linkCode(operation, temp, read, writer), type: 'any' };
  }
  const base = writer.code(object);
  const slow = refer(writer, (value: unknown) => readMember(base.check ? base.check(value) : value, name, operation));
  const check = (value: unknown): unknown => checked(value, operation);
  if (object.kind === 'Param' && object.input) {
    writer.plainSlots.add(object.slot);
    const own = `q${object.slot}&&${ownTest(base.js, key)}`;
    return { js: `(${own}?${base.js}[${key}]:${slow}(${base.js}))`, type: 'any', check };
  }
  const temp = newTemp(writer);
  const own = `${plainTest(temp)}&&${ownTest(temp, key)}`;
  return { js: `(${temp}=${base.js},${own}?${temp}[${key}]:${slow}(${temp}))`, type: 'any', check };
};
