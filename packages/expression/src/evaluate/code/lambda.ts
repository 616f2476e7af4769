import type { LambdaOp, Operation } from '../plan/operation.ts';
import { type Writer, isNoValue, newTemp, plainTest, refer, valueCode } from './writer.ts';

/** A value that is only asked for its truth: mostly it is a boolean. */
export const truthCode = (operation: Operation, writer: Writer): string => {
  const code = writer.code(operation);
  if (!code.check) return code.js;
  const temp = newTemp(writer);
  const refuse = `${isNoValue(temp)}?${refer(writer, code.check)}(${temp}):${temp}`;
  return `(${temp}=${code.js},typeof ${temp}==="boolean"?${temp}:${refuse})`;
};

/** Code in a function of its own, which binds some slots: its variables, and what it reads of the slots of others. */
export const within = <Js>(
  writer: Writer,
  bound: readonly number[],
  write: () => Js,
): { readonly js: Js; readonly temps: readonly string[]; readonly outer: readonly string[] } => {
  const { temps, names } = writer;
  writer.temps = [];
  writer.names = new Set();
  const js = write();
  const outer = [...writer.names].filter((name) => !bound.includes(Number(name.slice(1))));
  const inner = { js, temps: writer.temps, outer };
  writer.temps = temps;
  writer.names = new Set([...names, ...outer]);
  return inner;
};

/** The variables of a function, and which of its slots hold what may be read plainly. */
export const startCode = (
  temps: readonly string[],
  slots: readonly number[],
  { plainSlots }: Writer,
  mayBeBare = false,
): string => {
  const tests = slots
    .filter((slot) => plainSlots.has(slot))
    .map((slot) => `const q${slot}=${plainTest(`a${slot}`, mayBeBare)};`);
  return `${temps.length > 0 ? `let ${temps.join()};` : ''}${tests.join('')}`;
};

/** What each call of a lambda costs. */
export const stepsCode = (lambda: LambdaOp, writer: Writer): string =>
  `if((run.left-=${lambda.steps})<0)charge(0,${refer(writer, lambda)});`;

export const lambdaCode = (lambda: LambdaOp, writer: Writer): string => {
  const { js, temps } = within(writer, lambda.slots, () => valueCode(lambda.body, writer));
  const start = startCode(temps, lambda.slots, writer);
  return `(${lambda.slots.map((slot) => `a${slot}`).join()})=>{${start}${stepsCode(lambda, writer)}return ${js}}`;
};
