import { findListCall, findQuick, takesConstants } from '../library/quick.ts';
import type { MethodCall } from '../plan/operation.ts';
import { loopCode } from './loop.ts';
import { type Code, type Writer, newTemp, refer, sureCode, valueCode } from './writer.ts';

/** What a method of that name gives, whatever its receiver. */
const RESULTS: ReadonlyMap<string, Code['type']> = new Map([
  ...['toLowerCase', 'toUpperCase', 'trim', 'trimEnd', 'trimStart'].map((name) => [name, 'string'] as const),
  ...['includes', 'startsWith', 'endsWith', 'some', 'every'].map((name) => [name, 'boolean'] as const),
]);

export const methodCode = (call: MethodCall, writer: Writer): Code => {
  const type = call.short ? 'any' : (RESULTS.get(call.name) ?? 'any');
  return { js: listCallCode(call, writer) ?? quickCode(call, writer) ?? generalCode(call, writer), type };
};

const objectCode = (call: MethodCall, writer: Writer): string => sureCode(writer.link(call.callee.object), writer);

/** The receiver must have the method before arguments are evaluated. `known` says that it does. */
const afterReceiver = (call: MethodCall, self: string, known: string, then: string, writer: Writer): string => {
  if (takesConstants(call)) return then;
  const found = `findMethod(${self},${refer(writer, call)})`;
  return call.short ? `(${known}||${found})===SHORT?SHORT:${then}` : `${known}||${found},${then}`;
};

const quickCode = (call: MethodCall, writer: Writer): string | undefined => {
  const quick = findQuick(call, writer.reading !== 'checked');
  if (!quick) return undefined;
  const self = newTemp(writer);
  const object = objectCode(call, writer);
  const args = call.args.map((arg) => valueCode(arg, writer));
  const run = `${refer(writer, quick)}(${[self, refer(writer, call), ...args].join()})`;
  return `(${self}=${object},${afterReceiver(call, self, `typeof ${self}==="string"`, run, writer)})`;
};

const listCallCode = (call: MethodCall, writer: Writer): string | undefined => {
  if (writer.reading === 'checked' || !findListCall(call)) return undefined;
  const self = newTemp(writer);
  const object = writer.link(call.callee.object);
  const at = refer(writer, call);
  // No list is a function: only what is none must be looked at.
  const isLate = takesConstants(call) && object.check;
  const receiver = isLate ? `${refer(writer, isLate)}(${self})` : self;
  const isList = `Array.isArray(${self})`;
  const run = `${isList}?${loopCode(call, self, at, writer)}:callMethod(${receiver},${at})`;
  return `(${self}=${isLate ? object.js : sureCode(object, writer)},${afterReceiver(call, self, isList, run, writer)})`;
};

const generalCode = (call: MethodCall, writer: Writer): string => {
  const [self, method] = [newTemp(writer), newTemp(writer)];
  const object = objectCode(call, writer);
  const at = refer(writer, call);
  const run = `${method}(${self},[${call.args.map((arg) => valueCode(arg, writer)).join()}],${at})`;
  const found = `${method}=findMethod(${self},${at})`;
  return `(${self}=${object},(${found})${call.short ? `===SHORT?SHORT:` : ','}${run})`;
};
