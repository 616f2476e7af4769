import type { Value } from '../../tree/node.ts';
import * as access from '../access.ts';
import { UNARY } from '../operators.ts';
import type { ConstantOp, LambdaOp, Operation, Plan } from '../plan/operation.ts';
import { asExpressionError, charge, fail } from '../run.ts';
import type { Trial } from '../trial.ts';
import { cleanCopy, copyData } from '../value.ts';
import { binaryCode } from './binary.ts';
import { memberCode } from './member.ts';
import { methodCode } from './method.ts';
import { type Code, type Writer, linkCode, newTemp, ownTest, plainTest, refer, sureCode, valueCode } from './writer.ts';

const any = (js: string): Code => ({ js, type: 'any' });

const codeOf = (operation: Operation, writer: Writer): Code => {
  const code = linkOf(operation, writer);
  if (!operation.short) return code;
  const temp = newTemp(writer);
  return any(`((${temp}=${sureCode(code, writer)})===SHORT?undefined:${temp})`);
};

const linkOf = (operation: Operation, writer: Writer): Code => {
  const value = (part: Operation): string => valueCode(part, writer);
  const site = (): string => refer(writer, operation);
  switch (operation.kind) {
    case 'Constant':
      return constantCode(operation, writer);
    case 'Fail': {
      const at = site();
      return any(`fail(${at}.code,${at},${at}.message)`);
    }
    case 'Param':
      if (!operation.input) return any(`a${operation.slot}`);
      return { js: `a${operation.slot}`, type: 'any', check: (given) => access.checkedInput(given, operation) };
    case 'Capture':
      return any(`readCapture(${site()})`);
    case 'Member':
      return memberCode(operation, writer);
    case 'Index': {
      const object = newTemp(writer);
      return any(linkCode(operation, object, `readIndex(${object},${value(operation.index)},${site()})`, writer));
    }
    case 'Method':
      return methodCode(operation, writer);
    case 'Host': {
      const host = newTemp(writer);
      const at = site();
      const call = `callHost(${host},[${operation.args.map(value).join()}],${at})`;
      return any(`((${host}=findHost(${at}))===SHORT?SHORT:${call})`);
    }
    case 'Static': {
      const at = site();
      return any(`${at}.native(undefined,[${operation.args.map(value).join()}],${at})`);
    }
    case 'Apply':
      return any(`(${lambdaCode(operation.callee, writer)})(${operation.args.map(value).join()})`);
    case 'Lambda':
      return any(lambdaCode(operation, writer));
    case 'Binary':
      return binaryCode(operation, writer);
    case 'Logical': {
      const left = codeOf(operation.left, writer);
      const right = codeOf(operation.right, writer);
      const type = left.type === right.type ? left.type : 'any';
      return { js: `(${sureCode(left, writer)}${operation.op}${sureCode(right, writer)})`, type };
    }
    case 'Unary':
      if (operation.op === '!') return { js: `(!${value(operation.operand)})`, type: 'boolean' };
      return any(`UNARY[${JSON.stringify(operation.op)}](${value(operation.operand)},${site()})`);
    case 'Ternary':
      return any(`(${value(operation.test)}?${value(operation.then)}:${value(operation.else)})`);
    case 'Template': {
      const at = site();
      let js = JSON.stringify(operation.quasis[0]);
      for (const [index, expr] of operation.exprs.entries())
        js = `appendText(${js},${value(expr)},${at}.quasis[${index + 1}],${at})`;
      return { js, type: 'string' };
    }
    case 'ObjectLit':
      return any(`fromEntries(${listCode(operation.props, 'spreadObject', writer)})`);
    case 'ArrayLit':
      return any(listCode(operation.elements, 'spreadArray', writer));
    case 'In': {
      const haystack = newTemp(writer);
      return {
        js: `(${haystack}=${value(operation.haystack)},isMember(${haystack},${value(operation.needle)},${site()}))`,
        type: 'boolean',
      };
    }
  }
};

const constantCode = (constant: ConstantOp, writer: Writer): Code => {
  const { value } = constant;
  if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0))
    return { js: `(${JSON.stringify(value)})`, type: 'number' };
  if (typeof value === 'boolean') return { js: `${value}`, type: 'boolean' };
  if (value === undefined || value === null) return any(`${value}`);
  const js = refer(writer, value);
  if (typeof value === 'string') return { js: value.length < 256 ? JSON.stringify(value) : js, type: 'string' };
  return any(constant.mutable ? `copyData(${js},${refer(writer, constant)})` : js);
};

const lambdaCode = (lambda: LambdaOp, writer: Writer): string => {
  const outer = writer.temps;
  writer.temps = [];
  const body = valueCode(lambda.body, writer);
  const temps = writer.temps.length > 0 ? `let ${writer.temps.join()};` : '';
  writer.temps = outer;
  const slots = lambda.slots.map((slot) => `a${slot}`);
  return `(${slots.join()})=>{${temps}charge(${lambda.steps},${refer(writer, lambda)});return ${body}}`;
};

type Item = Operation | { readonly spread: Operation } | { readonly key: string; readonly value: Operation };

/** An array of elements, or of entries for an object. */
const listCode = (items: readonly Item[], spread: string, writer: Writer): string => {
  const target = newTemp(writer);
  const writes = items.map((item) => {
    if ('spread' in item) return `${spread}(${target},${valueCode(item.spread, writer)},${refer(writer, item.spread)})`;
    if ('kind' in item) return `${target}.push(${valueCode(item, writer)})`;
    return `${target}.push([${JSON.stringify(item.key)},${valueCode(item.value, writer)}])`;
  });
  return `(${[`${target}=[]`, ...writes, target].join()})`;
};

const RUNTIME = {
  ...access,
  asExpressionError,
  UNARY,
  charge,
  cleanCopy,
  copyData,
  fail,
  fromEntries: Object.fromEntries,
  getPrototype: Object.getPrototypeOf,
  objectPrototype: Object.prototype,
};

/** The source of `(params) => value`, and what it refers to. */
const writeSource = (plan: Plan, plain: boolean, tried: boolean): { source: string; sites: unknown[] } => {
  const writer: Writer = {
    plain,
    sites: [plan],
    plainSlots: new Set(),
    temps: [],
    next: 0,
    code: (operation) => codeOf(operation, writer),
    link: (operation) => linkOf(operation, writer),
  };
  const code = codeOf(plan.body, writer);
  const body = sureCode(code, writer);
  const inputs = [...plan.inputs.keys()].map((name) => {
    const key = JSON.stringify(name);
    const read = `readInput(p,${key},s0)`;
    return plain && !(name in Object.prototype) ? `q&&${ownTest('p', key)}?p[${key}]:${read}` : read;
  });
  const plains = [...writer.plainSlots].map((slot) => `const q${slot}=${plainTest(`a${slot}`)};`).join('');
  const result =
    code.type === 'any' ? `const v=${body};return typeof v==="object"&&v!==null?cleanCopy(v,s0):v` : `return ${body}`;
  const temps = writer.temps.length > 0 ? `let ${writer.temps.join()};` : '';
  const slots = [...plan.inputs.values()].map((slot) => `a${slot}`).join();
  const sites = writer.sites.map((_, index) => `s${index}`).join();
  const names = Object.keys(RUNTIME).join();
  const left = plan.run.limits.steps - plan.steps;
  const start = `run.left=${left};${left < 0 ? 'startBudget(s0);' : ''}`;
  // Two functions, each small enough for engines to inline.
  const inner = `const f=(${slots})=>{${temps}${plains}${result}};`;
  const test = plain && plan.inputs.size > 0 ? `const q=${plainTest('p')};` : '';
  const trial = tried ? 'if(!gate.passed)return trial.call(p);' : '';
  const outer = `return p=>{${trial}${start}try{${test}return f(${inputs.join()})}catch(e){throw asExpressionError(e,s0)}}`;
  return {
    source: `"use strict";const {${names}}=r,[${sites}]=s,{run}=s0;${tried ? 'const {gate}=trial;' : ''}${inner}${outer}`,
    sites: writer.sites,
  };
};

type Call = (params: object | undefined) => Value;

/** A function of the inputs, made from text. With `plain` it reads plainly, once the trial, if any, is passed. */
export const buildCode = (plan: Plan, plain: boolean, trial?: Trial): Call => {
  const { source, sites } = writeSource(plan, plain, trial !== undefined);
  // oxlint-disable-next-line no-implied-eval, no-new-func -- the source holds only identifiers of ours and JSON literals
  const make = new Function('r', 's', 'trial', source) as (
    runtime: unknown,
    sites: readonly unknown[],
    trial: Trial | undefined,
  ) => Call;
  return make(RUNTIME, sites, trial);
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
