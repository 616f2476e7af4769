import { SHORT, findMethod } from '../access.ts';
import type { MethodCall } from '../plan/operation.ts';
import { shortMappedSearch, shortMapper, shortSearch } from '../short-text.ts';
import { type Code, type Writer, newTemp, refer, sureCode, valueCode } from './writer.ts';

/** What a method of that name gives, whatever its receiver. */
const RESULTS: ReadonlyMap<string, Code['type']> = new Map([
  ...['toLowerCase', 'toUpperCase', 'trim', 'trimEnd', 'trimStart'].map((name) => [name, 'string'] as const),
  ...['includes', 'startsWith', 'endsWith', 'some', 'every'].map((name) => [name, 'boolean'] as const),
]);

export const methodCode = (call: MethodCall, writer: Writer): Code => {
  const fused = mappedSearch(call, writer);
  if (fused) return fused;
  const self = newTemp(writer);
  const object = writer.link(call.callee.object);
  const type = call.short ? 'any' : (RESULTS.get(call.name) ?? 'any');
  const fast = fastCall(call, self, writer);
  if (!fast) return { js: `(${self}=${sureCode(object, writer)},${generalCall(call, self, writer)})`, type };
  const isText = object.type === 'string' ? '' : `typeof ${self}==="string"&&`;
  const slow = refer(writer, slowCall(call, object));
  return { js: `(${self}=${object.js},${isText}${fast.test}?${fast.js}:${slow}(${self}))`, type };
};

/** One look at the length serves the mapper and the search. */
const mappedSearch = (call: MethodCall, writer: Writer): Code | undefined => {
  const found = shortMappedSearch(call);
  if (!found) return undefined;
  const { inner, most, part } = found;
  const self = newTemp(writer);
  const object = writer.link(inner.callee.object);
  const map = slowCall(inner, object);
  const search = slowCall(call, { js: '', type: 'string' });
  const slow = refer(writer, (receiver: unknown) => search(map(receiver)));
  const fast = `${self}.${inner.name}().${call.name}(${partCode(part, writer)})`;
  const test = `typeof ${self}==="string"&&${self}.length<=${most}`;
  return { js: `(${self}=${object.js},${test}?${fast}:${slow}(${self}))`, type: 'boolean' };
};

const partCode = (part: string, writer: Writer): string =>
  part.length < 256 ? JSON.stringify(part) : refer(writer, part);

/** A call with constant arguments. */
const slowCall = (call: MethodCall, object: Code): ((receiver: unknown) => unknown) => {
  const args = call.args.map((arg) => (arg.kind === 'Constant' ? arg.value : undefined));
  return (receiver) => {
    if (receiver === SHORT) return SHORT;
    const self = object.check ? object.check(receiver) : receiver;
    const method = findMethod(self, call);
    return method === SHORT ? SHORT : method(self, args, call);
  };
};

/** Short texts beside constants, where nothing can fail and nothing is charged. */
const fastCall = (call: MethodCall, self: string, writer: Writer): { test: string; js: string } | undefined => {
  const mapper = shortMapper(call);
  if (mapper !== undefined) return { test: `${self}.length<=${mapper}`, js: `${self}.${call.name}()` };
  const search = shortSearch(call);
  if (!search) return undefined;
  return { test: `${self}.length<=${search.most}`, js: `${self}.${call.name}(${partCode(search.part, writer)})` };
};

const generalCall = (call: MethodCall, self: string, writer: Writer): string => {
  const method = newTemp(writer);
  const at = refer(writer, call);
  const run = `${method}(${self},[${call.args.map((arg) => valueCode(arg, writer)).join()}],${at})`;
  const ended = call.callee.object.short ? `${self}===SHORT?SHORT:` : '';
  return call.optional || call.callee.optional
    ? `${ended}(${method}=findMethod(${self},${at}))===SHORT?SHORT:${run}`
    : `${ended}(${method}=findMethod(${self},${at}),${run})`;
};
