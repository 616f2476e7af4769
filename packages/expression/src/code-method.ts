import { SHORT, findMethod } from './access.ts';
import { type Code, type Writer, newTemp, refer, sureCode } from './code-writer.ts';
import type { MethodCall } from './operation.ts';
import type { Run } from './run.ts';
import { shortMapper, shortSearch } from './short-text.ts';

/** What a method of that name gives, whatever its receiver. */
const RESULTS: ReadonlyMap<string, Code['type']> = new Map([
  ...['toLowerCase', 'toUpperCase', 'trim', 'trimEnd', 'trimStart'].map((name) => [name, 'string'] as const),
  ...['includes', 'startsWith', 'endsWith', 'some', 'every'].map((name) => [name, 'boolean'] as const),
]);

export const methodCode = (call: MethodCall, writer: Writer): Code => {
  const self = newTemp(writer);
  const object = writer.code(call.object);
  const type = call.short ? 'any' : (RESULTS.get(call.name) ?? 'any');
  const fast = fastCall(call, self, writer);
  if (!fast) return { js: `(${self}=${sureCode(object, writer)},${generalCall(call, self, writer)})`, type };
  const isText = object.type === 'string' ? '' : `typeof ${self}==="string"&&`;
  const slow = refer(writer, slowCall(call, object, writer.run));
  return { js: `(${self}=${object.js},${isText}${fast.test}?${fast.js}:${slow}(${self}))`, type };
};

/** A call with constant arguments. */
const slowCall = (call: MethodCall, object: Code, run: Run): ((receiver: unknown) => unknown) => {
  const args = call.args.map((arg) => (arg.op === 'constant' ? arg.value : undefined));
  return (receiver) => {
    if (receiver === SHORT) return SHORT;
    const self = object.check ? object.check(receiver) : receiver;
    const method = findMethod(self, call);
    return method === SHORT ? SHORT : method(run, self, args, call);
  };
};

/** Short texts beside constants, where nothing can fail and nothing is charged. */
const fastCall = (call: MethodCall, self: string, writer: Writer): { test: string; js: string } | undefined => {
  const mapper = shortMapper(call, writer.run);
  if (mapper !== undefined) return { test: `${self}.length<=${mapper}`, js: `${self}.${call.name}()` };
  const search = shortSearch(call);
  if (!search) return undefined;
  const part = search.part.length < 256 ? JSON.stringify(search.part) : refer(writer, search.part);
  return { test: `${self}.length<=${search.most}`, js: `${self}.${call.name}(${part})` };
};

const generalCall = (call: MethodCall, self: string, writer: Writer): string => {
  const method = newTemp(writer);
  const at = refer(writer, call);
  const run = `${method}(run,${self},[${call.args.map((arg) => writer.argument(arg)).join()}],${at})`;
  const ended = call.object.short ? `${self}===SHORT?SHORT:` : '';
  return call.optional || call.optionalCall
    ? `${ended}(${method}=findMethod(${self},${at}))===SHORT?SHORT:${run}`
    : `${ended}(${method}=findMethod(${self},${at}),${run})`;
};
