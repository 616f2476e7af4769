import type { Value } from '../../tree/node.ts';
import * as access from '../access.ts';
import { BINARY, UNARY, hasBrandOf, isMember } from '../operators.ts';
import { copyOf } from '../plan/constant.ts';
import type { Argument, LambdaOp, Operation, Plan } from '../plan/operation.ts';
import { type Run, asExpressionError, charge, fail } from '../run.ts';
import type { Trial } from '../trial.ts';
import { checked } from '../value.ts';
import { binaryCode } from './binary.ts';
import { memberCode } from './member.ts';
import { methodCode } from './method.ts';
import { type Code, type Writer, linkCode, newTemp, ownTest, plainTest, refer, sureCode, valueCode } from './writer.ts';

const any = (js: string): Code => ({ js, type: 'any' });

const codeOf = (operation: Operation, writer: Writer): Code => {
  const value = (part: Operation): string => valueCode(part, writer);
  const site = (): string => refer(writer, operation);
  switch (operation.op) {
    case 'constant':
      return constantCode(operation.value, operation.mutable, writer);
    case 'fail': {
      const at = site();
      return any(`fail(${at}.code,${at},${at}.message)`);
    }
    case 'slot':
      if (!operation.input) return any(`a${operation.slot}`);
      return { js: `a${operation.slot}`, type: 'any', check: (given) => access.checkedInput(given, operation) };
    case 'capture': {
      const at = site();
      return any(`checked(readCapture(run,${at},${at}),${at})`);
    }
    case 'member':
      return memberCode(operation, writer);
    case 'index': {
      const object = newTemp(writer);
      const read = `readIndex(run,${object},${value(operation.index)},${site()})`;
      return any(linkCode(operation.object, operation.optional, object, read, writer));
    }
    case 'method':
      return methodCode(operation, writer);
    case 'host': {
      const host = newTemp(writer);
      const at = site();
      const call = `callHost(run,${host},[${operation.args.map(value).join()}],${at})`;
      return any(`((${host}=findHost(run,${at}))===SHORT?SHORT:${call})`);
    }
    case 'chain': {
      const temp = newTemp(writer);
      return any(`((${temp}=${value(operation.body)})===SHORT?undefined:${temp})`);
    }
    case 'static': {
      const at = site();
      return any(`${at}.call(run,[${operation.args.map(value).join()}],${at})`);
    }
    case 'apply':
      return any(`(${lambdaCode(operation.lambda, writer)})(${operation.args.map(value).join()})`);
    case 'binary':
      return binaryCode(operation, writer);
    case 'instanceof':
      return { js: `hasBrandOf(${JSON.stringify(operation.brand)},${value(operation.left)})`, type: 'boolean' };
    case 'logical': {
      const left = codeOf(operation.left, writer);
      const right = codeOf(operation.right, writer);
      const type = left.type === right.type ? left.type : 'any';
      return { js: `(${sureCode(left, writer)}${operation.operator}${sureCode(right, writer)})`, type };
    }
    case 'unary':
      if (operation.operator === '!') return { js: `(!${value(operation.operand)})`, type: 'boolean' };
      return any(`UNARY[${JSON.stringify(operation.operator)}](run,${value(operation.operand)},${site()})`);
    case 'typeofCapture':
      return { js: `typeofCapture(run,${refer(writer, operation.capture)})`, type: 'string' };
    case 'ternary':
      return any(`(${value(operation.test)}?${value(operation.yes)}:${value(operation.no)})`);
    case 'template': {
      const at = site();
      let js = JSON.stringify(operation.quasis[0]);
      for (const [index, expr] of operation.exprs.entries())
        js = `appendText(run,${js},${value(expr)},${at}.quasis[${index + 1}],${at})`;
      return { js, type: 'string' };
    }
    case 'object':
    case 'array':
      return literalCode(operation, writer);
    case 'in': {
      const haystack = newTemp(writer);
      return {
        js: `(${haystack}=${value(operation.haystack)},isMember(run,${haystack},${value(operation.needle)},${site()}))`,
        type: 'boolean',
      };
    }
  }
};

const constantCode = (value: unknown, mutable: boolean, writer: Writer): Code => {
  if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0))
    return { js: `(${JSON.stringify(value)})`, type: 'number' };
  if (typeof value === 'boolean') return { js: `${value}`, type: 'boolean' };
  if (value === undefined || value === null) return any(`${value}`);
  const js = refer(writer, value);
  if (typeof value === 'string') return { js: value.length < 256 ? JSON.stringify(value) : js, type: 'string' };
  return any(mutable ? `copyOf(${js})` : js);
};

const argumentCode = (arg: Argument, writer: Writer): string =>
  arg.op === 'lambda' ? lambdaCode(arg, writer) : valueCode(arg, writer);

const lambdaCode = (lambda: LambdaOp, writer: Writer): string => {
  const outer = writer.temps;
  writer.temps = [];
  const body = valueCode(lambda.body, writer);
  const temps = writer.temps.length > 0 ? `let ${writer.temps.join()};` : '';
  writer.temps = outer;
  // Of two parameters with one name the last counts, as the plan has it; the slot is then the same.
  const slots = lambda.slots.map((slot, at) =>
    lambda.slots.lastIndexOf(slot) === at ? `a${slot}` : `u${writer.next++}`,
  );
  return `(${slots.join()})=>{${temps}charge(run,${lambda.steps},${refer(writer, lambda)});return ${body}}`;
};

const literalCode = (operation: Operation & { op: 'object' | 'array' }, writer: Writer): Code => {
  const target = newTemp(writer);
  const writes =
    operation.op === 'object'
      ? operation.props.map((prop) =>
          'spread' in prop
            ? `spreadObject(run,${target},${valueCode(prop.spread, writer)},${refer(writer, prop.spread)})`
            : `setProperty(${target},${JSON.stringify(prop.key)},${valueCode(prop.value, writer)})`,
        )
      : operation.elements.map(({ value, spread }) =>
          spread
            ? `spreadArray(run,${target},${valueCode(value, writer)},${refer(writer, value)})`
            : `${target}.push(${valueCode(value, writer)})`,
        );
  return any(`(${[`${target}=${operation.op === 'object' ? '{}' : '[]'}`, ...writes, target].join()})`);
};

const RUNTIME = {
  ...access,
  asExpressionError,
  BINARY,
  UNARY,
  charge,
  checked,
  copyOf,
  fail,
  hasBrandOf,
  isMember,
  getPrototype: Object.getPrototypeOf,
  objectPrototype: Object.prototype,
};

/** The source of `(params) => value`, and what it refers to. */
const writeSource = (plan: Plan, run: Run, plain: boolean, tried: boolean): { source: string; sites: unknown[] } => {
  const writer: Writer = {
    run,
    plain,
    sites: [plan],
    plainSlots: new Set(),
    temps: [],
    next: 0,
    code: (operation) => codeOf(operation, writer),
    argument: (arg) => argumentCode(arg, writer),
  };
  const code = codeOf(plan.body, writer);
  const body = sureCode(code, writer);
  const inputs = plan.inputs.map((name) => {
    const key = JSON.stringify(name);
    const read = `readInput(p,${key})`;
    return plain && !(name in Object.prototype) ? `q&&${ownTest('p', key)}?p[${key}]:${read}` : read;
  });
  const plains = [...writer.plainSlots].map((slot) => `const q${slot}=${plainTest(`a${slot}`)};`).join('');
  const result =
    code.type === 'any' ? `const v=${body};return typeof v==="object"&&v!==null?released(v):v` : `return ${body}`;
  const temps = writer.temps.length > 0 ? `let ${writer.temps.join()};` : '';
  const slots = plan.inputs.map((_, slot) => `a${slot}`).join();
  const sites = writer.sites.map((_, index) => `s${index}`).join();
  const names = Object.keys(RUNTIME).join();
  const left = run.limits.steps - plan.steps;
  const start = `run.left=${left};${left < 0 ? 'startBudget(run,s0);' : ''}`;
  // Two functions, each small enough for engines to inline.
  const inner = `const f=(${slots})=>{${temps}${plains}${result}};`;
  const test = plain && plan.inputs.length > 0 ? `const q=${plainTest('p')};` : '';
  const trial = tried ? 'if(!gate.passed)return trial.call(p);' : '';
  const outer = `return p=>{${trial}${start}try{${test}return f(${inputs.join()})}catch(e){throw asExpressionError(e,s0)}}`;
  return {
    source: `"use strict";const {${names}}=r,[${sites}]=s;${tried ? 'const {gate}=trial;' : ''}${inner}${outer}`,
    sites: writer.sites,
  };
};

type Call = (params: object | undefined) => Value;

/** A function of the inputs, made from text. With `plain` it reads plainly, once the trial, if any, is passed. */
export const buildCode = (plan: Plan, run: Run, plain: boolean, trial?: Trial): Call => {
  const { source, sites } = writeSource(plan, run, plain, trial !== undefined);
  // oxlint-disable-next-line no-implied-eval, no-new-func -- the source holds only identifiers of ours and JSON literals
  const make = new Function('r', 'run', 's', 'trial', source) as (
    runtime: unknown,
    run: Run,
    sites: readonly unknown[],
    trial: Trial | undefined,
  ) => Call;
  return make(RUNTIME, run, sites, trial);
};

/** Whether this place lets code be made from text. */
export const canBuildCode = (): boolean => {
  try {
    // oxlint-disable-next-line no-implied-eval, no-new-func -- asks whether it is allowed
    return (new Function('return true') as () => boolean)();
  } catch {
    return false;
  }
};
