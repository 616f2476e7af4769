import {
  SHORT,
  appendText,
  callHost,
  checkedInput,
  findHost,
  findMethod,
  hasOwnPlain,
  isPlain,
  readCapture,
  readIndex,
  readMember,
  setProperty,
  spreadArray,
  spreadObject,
  typeofCapture,
} from '../access.ts';
import type { Method } from '../library/string.ts';
import { UNARY, hasBrandOf, isMember } from '../operators.ts';
import { copyOf } from '../plan/constant.ts';
import type {
  ArrayOp,
  Applied,
  Argument,
  HostCall,
  LambdaOp,
  LogicalOp,
  MethodCall,
  ObjectOp,
  Operation,
  Property,
  TemplateOp,
} from '../plan/operation.ts';
import { type Run, charge, fail } from '../run.ts';
import { shortMappedSearch } from '../short-text.ts';
import { checked, typeOf } from '../value.ts';
import { binaryClosure } from './binary.ts';
import { textMethodClosure } from './text.ts';

export type Closure = (slots: unknown[]) => unknown;

export interface Build {
  readonly run: Run;
  /** No object of the host has accessors of its own. */
  readonly plain: boolean;
  /** There is one input, a plain object, and no other slot: closures get it in place of the slots. */
  readonly direct: boolean;
}

const isNoValue = (value: unknown): boolean => typeof value === 'function' || typeof value === 'symbol';

/** A tree of closures that does what the interpreter does. */
export const buildClosure = (operation: Operation, build: Build): Closure => {
  const { run } = build;
  switch (operation.op) {
    case 'constant': {
      const { value } = operation;
      return operation.mutable ? () => copyOf(value) : () => value;
    }
    case 'fail':
      return () => fail(operation.code, operation, operation.message);
    case 'slot': {
      const { slot } = operation;
      if (build.direct) return (row) => row;
      if (!operation.input) return (slots) => slots[slot];
      return (slots) => {
        const value = slots[slot];
        return isNoValue(value) ? checkedInput(value, operation) : value;
      };
    }
    case 'capture':
      return () => checked(readCapture(run, operation, operation), operation);
    case 'member':
      return memberClosure(operation, build);
    case 'index': {
      const object = buildClosure(operation.object, build);
      const index = buildClosure(operation.index, build);
      return (slots) => {
        const base = object(slots);
        if (base === SHORT || (operation.optional && (base === undefined || base === null))) return SHORT;
        return readIndex(run, base, index(slots), operation);
      };
    }
    case 'method':
      return methodClosure(operation, build);
    case 'host':
      return hostClosure(operation, build);
    case 'chain': {
      const body = buildClosure(operation.body, build);
      return (slots) => {
        const value = body(slots);
        return value === SHORT ? undefined : value;
      };
    }
    case 'static': {
      const args = operation.args.map((arg) => buildClosure(arg, build));
      return (slots) =>
        operation.call(
          run,
          args.map((arg) => arg(slots)),
          operation,
        );
    }
    case 'apply':
      return applyClosure(operation, build);
    case 'binary':
      return binaryClosure(operation, buildClosure(operation.left, build), buildClosure(operation.right, build), run);
    case 'instanceof': {
      const left = buildClosure(operation.left, build);
      return (slots) => hasBrandOf(operation.brand, left(slots));
    }
    case 'logical':
      return logicalClosure(operation, build);
    case 'unary': {
      const operand = buildClosure(operation.operand, build);
      if (operation.operator === '!') return (slots) => !operand(slots);
      const apply = UNARY[operation.operator];
      return (slots) => apply(run, operand(slots), operation);
    }
    case 'typeofCapture':
      return () => typeofCapture(run, operation.capture);
    case 'ternary': {
      const test = buildClosure(operation.test, build);
      const yes = buildClosure(operation.yes, build);
      const no = buildClosure(operation.no, build);
      return (slots) => (test(slots) ? yes(slots) : no(slots));
    }
    case 'template':
      return templateClosure(operation, build);
    case 'object':
      return objectClosure(operation, build);
    case 'array':
      return arrayClosure(operation, build);
    case 'in': {
      const haystack = buildClosure(operation.haystack, build);
      const needle = buildClosure(operation.needle, build);
      return (slots) => {
        const value = haystack(slots);
        return isMember(run, value, needle(slots), operation);
      };
    }
  }
};

/** The closures for plain data are short: engines inline only so much. */
const memberClosure = (operation: Property, build: Build): Closure => {
  const object = buildClosure(operation.object, build);
  const { name, optional } = operation;
  const read = (base: unknown): unknown => {
    if (base === SHORT || (optional && (base === undefined || base === null))) return SHORT;
    return readMember(base, name, operation);
  };
  if (!build.plain) return (slots) => read(object(slots));
  if (build.direct && operation.object.op === 'slot')
    return (row: object) => {
      if (hasOwnPlain(row, name)) {
        const value = (row as Record<string, unknown>)[name];
        if (!isNoValue(value)) return value;
      }
      return read(row);
    };
  return (slots) => {
    const base = object(slots);
    if (isPlain(base) && hasOwnPlain(base, name)) {
      const value = base[name];
      if (!isNoValue(value)) return value;
    }
    return read(base);
  };
};

const methodClosure = (call: MethodCall, build: Build): Closure => {
  const mapped = shortMappedSearch(call, build.run);
  if (mapped?.inner.name === 'toLowerCase' && call.name === 'includes') {
    const { inner, most, part } = mapped;
    const text = buildClosure(inner.object, build);
    const map = generalMethod(inner, build);
    const search = generalMethod(call, build);
    return (slots) => {
      const self = text(slots);
      return typeof self === 'string' && self.length <= most
        ? self.toLowerCase().includes(part)
        : search(map(self, slots), slots);
    };
  }
  const object = buildClosure(call.object, build);
  const general = generalMethod(call, build);
  return textMethodClosure(call, object, general, build.run) ?? ((slots) => general(object(slots), slots));
};

const generalMethod = (call: MethodCall, build: Build): ((receiver: unknown, slots: unknown[]) => unknown) => {
  const { run } = build;
  const args = call.args.map((arg) => argumentClosure(arg, build));
  // The method of the type that was last seen: rows are mostly alike.
  let knownType = '';
  let known: Method | undefined;
  const constants = call.args.every((arg) => arg.op === 'constant' && !arg.mutable)
    ? Object.freeze(args.map((arg) => arg([])))
    : undefined;
  return (receiver, slots) => {
    if (receiver === SHORT) return SHORT;
    let method = known;
    if (method === undefined || typeof receiver === 'object' || typeof receiver !== knownType) {
      const found = findMethod(receiver, call);
      if (found === SHORT) return SHORT;
      if (typeof receiver !== 'object') {
        knownType = typeOf(receiver);
        known = found;
      }
      method = found;
    }
    return method(run, receiver, constants ?? args.map((arg) => arg(slots)), call);
  };
};

const argumentClosure = (arg: Argument, build: Build): Closure => {
  if (arg.op !== 'lambda') return buildClosure(arg, build);
  const enter = lambdaClosure(arg, build);
  return (slots) =>
    (...args: unknown[]) =>
      enter(slots, args);
};

const lambdaClosure = (lambda: LambdaOp, build: Build): ((slots: unknown[], args: readonly unknown[]) => unknown) => {
  const body = buildClosure(lambda.body, build);
  return (slots, args) => {
    charge(build.run, lambda.steps, lambda);
    for (let index = 0; index < lambda.slots.length; index++) slots[lambda.slots[index]!] = args[index];
    return body(slots);
  };
};

const applyClosure = (operation: Applied, build: Build): Closure => {
  const args = operation.args.map((arg) => buildClosure(arg, build));
  const enter = lambdaClosure(operation.lambda, build);
  return (slots) =>
    enter(
      slots,
      args.map((arg) => arg(slots)),
    );
};

const hostClosure = (call: HostCall, build: Build): Closure => {
  const args = call.args.map((arg) => buildClosure(arg, build));
  return (slots) => {
    const host = findHost(build.run, call);
    if (host === SHORT) return SHORT;
    return callHost(
      build.run,
      host,
      args.map((arg) => arg(slots)),
      call,
    );
  };
};

const logicalClosure = (operation: LogicalOp, build: Build): Closure => {
  const { operator } = operation;
  if (operator === '??') {
    const left = buildClosure(operation.left, build);
    const right = buildClosure(operation.right, build);
    return (slots) => left(slots) ?? right(slots);
  }
  const all = operandsOf(operation, operator).map((operand) => buildClosure(operand, build));
  const [a, b, c, d, ...more] = all as [Closure, Closure, ...Closure[]];
  const isAnd = operator === '&&';
  if (!c) return isAnd ? (slots) => a(slots) && b(slots) : (slots) => a(slots) || b(slots);
  if (!d) return isAnd ? (slots) => a(slots) && b(slots) && c(slots) : (slots) => a(slots) || b(slots) || c(slots);
  if (more.length === 0)
    return isAnd
      ? (slots) => a(slots) && b(slots) && c(slots) && d(slots)
      : (slots) => a(slots) || b(slots) || c(slots) || d(slots);
  return (slots) => {
    let value: unknown;
    for (const operand of all) {
      value = operand(slots);
      if (isAnd ? !value : value) break;
    }
    return value;
  };
};

/** `a && b && c` as one row: engines do not inline a closure into one of its own kind. */
const operandsOf = (operation: Operation, operator: LogicalOp['operator']): Operation[] =>
  operation.op === 'logical' && operation.operator === operator
    ? [...operandsOf(operation.left, operator), ...operandsOf(operation.right, operator)]
    : [operation];

const templateClosure = (operation: TemplateOp, build: Build): Closure => {
  const exprs = operation.exprs.map((expr) => buildClosure(expr, build));
  const { quasis } = operation;
  return (slots) => {
    let text = quasis[0]!;
    for (let index = 0; index < exprs.length; index++)
      text = appendText(build.run, text, exprs[index]!(slots), quasis[index + 1]!, operation);
    return text;
  };
};

const objectClosure = (operation: ObjectOp, build: Build): Closure => {
  const writers = operation.props.map((prop): ((target: Record<string, unknown>, slots: unknown[]) => void) => {
    if ('spread' in prop) {
      const spread = buildClosure(prop.spread, build);
      return (target, slots) => spreadObject(build.run, target, spread(slots), prop.spread);
    }
    const value = buildClosure(prop.value, build);
    return (target, slots) => setProperty(target, prop.key, value(slots));
  });
  return (slots) => {
    const result: Record<string, unknown> = {};
    for (const write of writers) write(result, slots);
    return result;
  };
};

const arrayClosure = (operation: ArrayOp, build: Build): Closure => {
  const parts = operation.elements.map(({ value, spread }) => ({
    at: value,
    spread,
    value: buildClosure(value, build),
  }));
  return (slots) => {
    const result: unknown[] = [];
    for (const { at, spread, value } of parts)
      if (spread) spreadArray(build.run, result, value(slots), at);
      else result.push(value(slots));
    return result;
  };
};
