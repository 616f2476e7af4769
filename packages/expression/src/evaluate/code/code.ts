import {
  SHORT,
  appendText,
  callHost,
  checkedInput,
  findHost,
  findMethod,
  isMember,
  isPlain,
  readCapture,
  readIndex,
  readInput,
  spreadArray,
  spreadObject,
  startBudget,
} from '../access.ts';
import { HOLE, readPlainElement } from '../library/lists.ts';
import { callMethod } from '../library/quick.ts';
import { UNARY } from '../operators.ts';
import type { CaptureOp, Operation, Plan, Static } from '../plan/operation.ts';
import { type Call, asExpressionError, charge, fail, roomForItems } from '../run.ts';
import { checked, cleanCopy, copyData } from '../value.ts';
import { binaryCode } from './binary.ts';
import { lambdaCode, startCode, truthCode } from './lambda.ts';
import { arrayCode, constantCode, objectCode, oneOfCode } from './make.ts';
import { indexCode, memberCode } from './member.ts';
import { methodCode } from './method.ts';
import {
  type Code,
  type Reading,
  type Writer,
  anyCode,
  cleanTest,
  newTemp,
  plainTest,
  refer,
  slotCode,
  sureCode,
  valueCode,
} from './writer.ts';

const codeOf = (operation: Operation, writer: Writer): Code => {
  const code = linkOf(operation, writer);
  if (!operation.short) return code;
  const temp = newTemp(writer);
  const js = `((${temp}=${code.js})===SHORT?undefined:${temp})`;
  return code.check ? { js, type: 'any', check: code.check } : anyCode(js);
};

const linkOf = (operation: Operation, writer: Writer): Code => {
  const value = (part: Operation): string => valueCode(part, writer);
  const site = (): string => refer(writer, operation);
  switch (operation.kind) {
    case 'Constant':
      return constantCode(operation, writer);
    case 'Fail': {
      const at = site();
      return anyCode(`fail(${at}.code,${at},${at}.message)`);
    }
    case 'Param':
      if (!operation.input) return anyCode(slotCode(writer, 'a', operation.slot));
      return {
        js: slotCode(writer, 'a', operation.slot),
        type: 'any',
        check: (given) => checkedInput(given, operation),
      };
    case 'Capture':
      return captureCode(operation, writer);
    case 'Member':
      return memberCode(operation, writer);
    case 'Index':
      return indexCode(operation, writer);
    case 'Method':
      return methodCode(operation, writer);
    case 'Host': {
      const host = newTemp(writer);
      const at = site();
      const call = `callHost(${host},[${operation.args.map(value).join()}],${at})`;
      return anyCode(`((${host}=findHost(${at}))===SHORT?SHORT:${call})`);
    }
    case 'Static':
      return staticCode(operation, writer);
    case 'Apply':
      return anyCode(`(${lambdaCode(operation.callee, writer)})(${operation.args.map(value).join()})`);
    case 'Lambda':
      return anyCode(lambdaCode(operation, writer));
    case 'Binary':
      return binaryCode(operation, writer);
    case 'Logical': {
      const left = codeOf(operation.left, writer);
      const right = codeOf(operation.right, writer);
      const type = left.type === right.type ? left.type : 'any';
      const rest = `${operation.op}${sureCode(right, writer)})`;
      // Of `&&` the left side decides before it is the value.
      if (operation.op === '&&' || !left.check) return { js: `(${sureCode(left, writer)}${rest}`, type };
      return { js: `(${left.js}${rest}`, type, check: left.check };
    }
    case 'Unary': {
      if (operation.op === '!') return { js: `(!${truthCode(operation.operand, writer)})`, type: 'boolean' };
      const slow = `UNARY[${JSON.stringify(operation.op)}]`;
      if (operation.op !== '-') return anyCode(`${slow}(${value(operation.operand)},${site()})`);
      const temp = newTemp(writer);
      return anyCode(
        `(${temp}=${value(operation.operand)},typeof ${temp}==="number"?-${temp}:${slow}(${temp},${site()}))`,
      );
    }
    case 'Ternary':
      return anyCode(`(${truthCode(operation.test, writer)}?${value(operation.then)}:${value(operation.else)})`);
    case 'Template': {
      const at = site();
      let js = JSON.stringify(operation.quasis[0]);
      for (const [index, expr] of operation.exprs.entries())
        js = `appendText(${js},${value(expr)},${JSON.stringify(operation.quasis[index + 1])},${at})`;
      return { js, type: 'string' };
    }
    case 'ObjectLit':
      return { js: objectCode(operation, writer), type: 'made' };
    case 'ArrayLit':
      return { js: arrayCode(operation, writer), type: 'made' };
    case 'In': {
      const haystack = newTemp(writer);
      return {
        js: `(${haystack}=${value(operation.haystack)},isMember(${haystack},${value(operation.needle)},${site()}))`,
        type: 'boolean',
      };
    }
    case 'OneOf':
      return oneOfCode(operation, writer);
  }
};

const captureCode = (capture: CaptureOp, writer: Writer): Code => {
  const { name, run } = capture;
  const slow = `readCapture(${refer(writer, capture)})`;
  if (writer.reading === 'checked' || capture.mayMiss || name in Object.prototype || !isPlain(run.scope))
    return anyCode(slow);
  const key = JSON.stringify(name);
  const temp = newTemp(writer);
  return {
    js: `((${temp}=${cleanTest(key)}?scope[${key}]:undefined)===undefined?${slow}:${temp})`,
    type: 'any',
    check: (value) => checked(value, capture),
  };
};

const staticCode = (operation: Static, writer: Writer): Code => {
  const args = operation.args.map((arg) => valueCode(arg, writer));
  const at = refer(writer, operation);
  if (!operation.ofNumbers) return anyCode(`${at}.native(undefined,[${args.join()}],${at})`);
  const temps = args.map(() => newTemp(writer));
  const writes = temps.map((temp, index) => `${temp}=${args[index]!},`).join('');
  const test = temps.map((temp) => `typeof ${temp}==="number"`).join('&&') || 'true';
  const quick = `${refer(writer, operation.ofNumbers)}(${temps.join()})`;
  return { js: `(${writes}${test}?${quick}:${at}.native(undefined,[${temps.join()}],${at}))`, type: 'number' };
};

/** What the code refers to by name. */
const RUNTIME = {
  HOLE,
  Obj: Object,
  SHORT,
  UNARY,
  appendText,
  asExpressionError,
  callHost,
  callMethod,
  charge,
  cleanCopy,
  copyData,
  empty: {},
  fail,
  findHost,
  findMethod,
  fromEntries: Object.fromEntries,
  getPrototype: Object.getPrototypeOf,
  isMember,
  objectPrototype: Object.prototype,
  readCapture,
  readIndex,
  readInput,
  readPlainElement,
  roomForItems,
  spreadArray,
  spreadObject,
  startBudget,
};

/** The source of `(params) => value`, and what it refers to. */
const writeSource = (plan: Plan, reading: Reading): { source: string; sites: unknown[] } => {
  const writer: Writer = {
    reading,
    sites: [plan],
    plainSlots: new Set(),
    temps: [],
    names: new Set(),
    loops: [],
    next: 0,
    code: (operation) => codeOf(operation, writer),
    link: (operation) => linkOf(operation, writer),
  };
  const code = codeOf(plan.body, writer);
  const body = sureCode(code, writer);
  const inputs = [...plan.inputs.keys()].map((name, index) => {
    const key = JSON.stringify(name);
    const read = `readInput(p,${key},s0)`;
    if (reading === 'checked' || name in Object.prototype) return read;
    return `q&&${cleanTest(key)}&&(i${index}=p[${key}])!==undefined?i${index}:${read}`;
  });
  const result =
    code.type === 'any' ? `const v=${body};return typeof v==="object"&&v!==null?cleanCopy(v,s0):v` : `return ${body}`;
  const slots = [...plan.inputs.values()];
  const start = startCode(writer.temps, slots, writer, reading === 'bare');
  const sites = writer.sites.map((_, index) => `s${index}`).join();
  const left = plan.run.limits.steps - plan.steps;
  const budget = `run.left=${left};${left < 0 ? 'startBudget(s0);' : ''}`;
  // Two functions, each small enough for engines to inline.
  const inner = `const f=(${slots.map((slot) => `a${slot}`).join()})=>{${start}${result}};`;
  const test =
    reading !== 'checked' && slots.length > 0
      ? `let ${slots.map((_, index) => `i${index}`).join()};const q=${plainTest('p')};`
      : '';
  const outer = `return p=>{${budget}try{${test}return f(${inputs.join()})}catch(e){throw asExpressionError(e,s0)}}`;
  return {
    source: `"use strict";const {${Object.keys(RUNTIME).join()}}=r,[${sites}]=s,{run}=s0,{scope}=run;${writer.loops.join('')}${inner}${outer}`,
    sites: writer.sites,
  };
};

/** A function of the inputs, made from text. */
export const buildCode = (plan: Plan, reading: Reading): Call => {
  const { source, sites } = writeSource(plan, reading);
  // oxlint-disable-next-line no-implied-eval, no-new-func -- the source holds only identifiers of ours and JSON literals
  const make = new Function('r', 's', source) as (runtime: unknown, sites: readonly unknown[]) => Call;
  return make(RUNTIME, sites);
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
