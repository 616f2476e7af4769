import { findListCall, findQuick } from '../library/quick.ts';
import type { MethodCall } from '../plan/operation.ts';
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
  if (call.args.every(({ kind }) => kind === 'Constant' || kind === 'Lambda')) return then;
  const found = `(${self}===SHORT?SHORT:findMethod(${self},${refer(writer, call)}))`;
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

/** A loop over a list; its lambda is one function, whichever way it goes. */
const listCallCode = (call: MethodCall, writer: Writer): string | undefined => {
  const list = writer.reading === 'checked' ? undefined : findListCall(call);
  if (!list) return undefined;
  const [self, lambda, start] = [newTemp(writer), newTemp(writer), newTemp(writer)];
  const object = objectCode(call, writer);
  const [first, second] = call.args;
  const at = refer(writer, call);
  const args = `${lambda}=${valueCode(first!, writer)}${second ? `,${start}=${valueCode(second, writer)}` : ''}`;
  const isList = `Array.isArray(${self})`;
  const run = `(${args},${isList}?${refer(writer, list)}(${self},${lambda},${at},readPlainElement,${start}):callMethod(${self},${at},${lambda},${start}))`;
  return `(${self}=${object},${afterReceiver(call, self, isList, run, writer)})`;
};

const generalCode = (call: MethodCall, writer: Writer): string => {
  const [self, method] = [newTemp(writer), newTemp(writer)];
  const object = objectCode(call, writer);
  const at = refer(writer, call);
  const run = `${method}(${self},[${call.args.map((arg) => valueCode(arg, writer)).join()}],${at})`;
  const found = `${method}=${call.callee.object.short ? `${self}===SHORT?SHORT:` : ''}findMethod(${self},${at})`;
  return `(${self}=${object},(${found})${call.short ? `===SHORT?SHORT:` : ','}${run})`;
};
