import {
  SHORT,
  appendText,
  callHost,
  checkedInput,
  findHost,
  findMethod,
  isMember,
  isNullish,
  readCapture,
  readIndex,
  readMember,
  spreadArray,
  spreadObject,
} from '../access.ts';
import type { Method } from '../library/native.ts';
import { UNARY } from '../operators.ts';
import type {
  Applied,
  ArrayOp,
  HostCall,
  LambdaOp,
  LogicalOp,
  MemberOp,
  MethodCall,
  ObjectOp,
  Operation,
  TemplateOp,
} from '../plan/operation.ts';
import { charge, fail } from '../run.ts';
import { shortMappedSearch } from '../short-text.ts';
import { copyData, typeOf } from '../value.ts';
import { binaryClosure } from './binary.ts';
import { hasOwnPlain, isPlain } from './plain.ts';
import { textMethodClosure } from './text.ts';

export type Closure = (slots: unknown[]) => unknown;

export interface Build {
  /** No object of the host has accessors of its own. */
  readonly plain: boolean;
  /** There is one input, a plain object, and no other slot: closures get it in place of the slots. */
  readonly direct: boolean;
}

const isNoValue = (value: unknown): boolean => typeof value === 'function' || typeof value === 'symbol';

/** A tree of closures that does what the interpreter does. */
export const buildClosure = (operation: Operation, build: Build): Closure => {
  const link = buildLink(operation, build);
  if (!operation.short) return link;
  return (slots) => {
    const value = link(slots);
    return value === SHORT ? undefined : value;
  };
};

/** The same for a link of a longer chain: it may give SHORT. */
const buildLink = (operation: Operation, build: Build): Closure => {
  switch (operation.kind) {
    case 'Constant': {
      const { value } = operation;
      return operation.mutable ? () => copyData(value, operation) : () => value;
    }
    case 'Fail':
      return () => fail(operation.code, operation, operation.message);
    case 'Param': {
      const { slot } = operation;
      if (build.direct) return (row) => row;
      if (!operation.input) return (slots) => slots[slot];
      return (slots) => {
        const value = slots[slot];
        return isNoValue(value) ? checkedInput(value, operation) : value;
      };
    }
    case 'Capture':
      return () => readCapture(operation);
    case 'Member':
      return memberClosure(operation, build);
    case 'Index': {
      const object = buildLink(operation.object, build);
      const index = buildClosure(operation.index, build);
      return (slots) => {
        const base = object(slots);
        if (base === SHORT || (operation.optional && isNullish(base))) return SHORT;
        return readIndex(base, index(slots), operation);
      };
    }
    case 'Method':
      return methodClosure(operation, build);
    case 'Host':
      return hostClosure(operation, build);
    case 'Static': {
      const args = operation.args.map((arg) => buildClosure(arg, build));
      const { native } = operation;
      return (slots) =>
        native(
          undefined,
          args.map((arg) => arg(slots)),
          operation,
        );
    }
    case 'Apply':
      return applyClosure(operation, build);
    case 'Lambda': {
      const enter = lambdaClosure(operation, build);
      return (slots) =>
        (...args: unknown[]) =>
          enter(slots, args);
    }
    case 'Binary':
      return binaryClosure(operation, buildClosure(operation.left, build), buildClosure(operation.right, build));
    case 'Logical':
      return logicalClosure(operation, build);
    case 'Unary': {
      const operand = buildClosure(operation.operand, build);
      if (operation.op === '!') return (slots) => !operand(slots);
      const apply = UNARY[operation.op];
      return (slots) => apply(operand(slots), operation);
    }
    case 'Ternary': {
      const test = buildClosure(operation.test, build);
      const yes = buildClosure(operation.then, build);
      const no = buildClosure(operation.else, build);
      return (slots) => (test(slots) ? yes(slots) : no(slots));
    }
    case 'Template':
      return templateClosure(operation, build);
    case 'ObjectLit':
      return objectClosure(operation, build);
    case 'ArrayLit':
      return arrayClosure(operation, build);
    case 'In': {
      const haystack = buildClosure(operation.haystack, build);
      const needle = buildClosure(operation.needle, build);
      return (slots) => {
        const value = haystack(slots);
        return isMember(value, needle(slots), operation);
      };
    }
  }
};

/** The closures for plain data are short: engines inline only so much. */
const memberClosure = (operation: MemberOp, build: Build): Closure => {
  const object = buildLink(operation.object, build);
  const { prop: name, optional } = operation;
  const read = (base: unknown): unknown => {
    if (base === SHORT || (optional && isNullish(base))) return SHORT;
    return readMember(base, name, operation);
  };
  if (!build.plain) return (slots) => read(object(slots));
  if (build.direct && operation.object.kind === 'Param')
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
  const mapped = shortMappedSearch(call);
  if (mapped?.inner.name === 'toLowerCase' && call.name === 'includes') {
    const { inner, most, part } = mapped;
    const text = buildLink(inner.callee.object, build);
    const map = generalMethod(inner, build);
    const search = generalMethod(call, build);
    return (slots) => {
      const self = text(slots);
      return typeof self === 'string' && self.length <= most
        ? self.toLowerCase().includes(part)
        : search(map(self, slots), slots);
    };
  }
  const object = buildLink(call.callee.object, build);
  const general = generalMethod(call, build);
  return textMethodClosure(call, object, general) ?? ((slots) => general(object(slots), slots));
};

const generalMethod = (call: MethodCall, build: Build): ((receiver: unknown, slots: unknown[]) => unknown) => {
  const args = call.args.map((arg) => buildClosure(arg, build));
  // The method of the type that was last seen: rows are mostly alike.
  let knownType = '';
  let known: Method | undefined;
  const constants = call.args.every((arg) => arg.kind === 'Constant' && !arg.mutable)
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
    return method(receiver, constants ?? args.map((arg) => arg(slots)), call);
  };
};

const lambdaClosure = (lambda: LambdaOp, build: Build): ((slots: unknown[], args: readonly unknown[]) => unknown) => {
  const body = buildClosure(lambda.body, build);
  return (slots, args) => {
    charge(lambda.steps, lambda);
    for (let index = 0; index < lambda.slots.length; index++) slots[lambda.slots[index]!] = args[index];
    return body(slots);
  };
};

const applyClosure = (operation: Applied, build: Build): Closure => {
  const args = operation.args.map((arg) => buildClosure(arg, build));
  const enter = lambdaClosure(operation.callee, build);
  return (slots) =>
    enter(
      slots,
      args.map((arg) => arg(slots)),
    );
};

const hostClosure = (call: HostCall, build: Build): Closure => {
  const args = call.args.map((arg) => buildClosure(arg, build));
  return (slots) => {
    const host = findHost(call);
    if (host === SHORT) return SHORT;
    return callHost(
      host,
      args.map((arg) => arg(slots)),
      call,
    );
  };
};

const logicalClosure = (operation: LogicalOp, build: Build): Closure => {
  const { op: operator } = operation;
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
const operandsOf = (operation: Operation, operator: LogicalOp['op']): Operation[] =>
  operation.kind === 'Logical' && operation.op === operator
    ? [...operandsOf(operation.left, operator), ...operandsOf(operation.right, operator)]
    : [operation];

const templateClosure = (operation: TemplateOp, build: Build): Closure => {
  const exprs = operation.exprs.map((expr) => buildClosure(expr, build));
  const { quasis } = operation;
  return (slots) => {
    let text = quasis[0]!;
    for (let index = 0; index < exprs.length; index++)
      text = appendText(text, exprs[index]!(slots), quasis[index + 1]!, operation);
    return text;
  };
};

const objectClosure = (operation: ObjectOp, build: Build): Closure => {
  const writers = operation.props.map((prop): ((target: [string, unknown][], slots: unknown[]) => void) => {
    if ('spread' in prop) {
      const spread = buildClosure(prop.spread, build);
      return (target, slots) => spreadObject(target, spread(slots), prop.spread);
    }
    const value = buildClosure(prop.value, build);
    return (target, slots) => void target.push([prop.key, value(slots)]);
  });
  return (slots) => {
    const entries: [string, unknown][] = [];
    for (const write of writers) write(entries, slots);
    return Object.fromEntries(entries);
  };
};

const arrayClosure = (operation: ArrayOp, build: Build): Closure => {
  const writers = operation.elements.map((element): ((target: unknown[], slots: unknown[]) => void) => {
    if ('spread' in element) {
      const spread = buildClosure(element.spread, build);
      return (target, slots) => spreadArray(target, spread(slots), element.spread);
    }
    const value = buildClosure(element, build);
    return (target, slots) => void target.push(value(slots));
  });
  return (slots) => {
    const result: unknown[] = [];
    for (const write of writers) write(result, slots);
    return result;
  };
};
