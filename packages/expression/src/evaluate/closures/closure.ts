import { SHORT, checkedInput, isMember } from '../access.ts';
import { UNARY } from '../operators.ts';
import type { LogicalOp, Operation } from '../plan/operation.ts';
import { fail } from '../run.ts';
import { copyData, isNoValue } from '../value.ts';
import { binaryClosure } from './binary.ts';
import type { Builder, Closure } from './builder.ts';
import { applyClosure, hostClosure, lambdaClosure, methodClosure, staticClosure } from './call.ts';
import { arrayClosure, objectClosure, templateClosure } from './make.ts';
import { captureClosure, indexClosure, memberClosure } from './read.ts';

/** A tree of closures. What a chain gives that ends early is undefined, but SHORT to its next link. */
export const buildClosure = (tree: Operation, options: Pick<Builder, 'plain' | 'plainSlots' | 'watch'>): Closure => {
  const { watch } = options;
  const watched = (operation: Operation, isLink: boolean): Closure => {
    const closure = makeClosure(operation, builder);
    return watch ? (slots) => watch(operation, () => closure(slots), isLink) : closure;
  };
  const builder: Builder = {
    ...options,
    link: (operation) => watched(operation, true),
    closure(operation) {
      const link = watched(operation, false);
      if (!operation.short) return link;
      return (slots) => {
        const value = link(slots);
        return value === SHORT ? undefined : value;
      };
    },
  };
  return builder.closure(tree);
};

const makeClosure = (operation: Operation, builder: Builder): Closure => {
  switch (operation.kind) {
    case 'Constant': {
      const { value } = operation;
      return operation.mutable ? () => copyData(value, operation) : () => value;
    }
    case 'Fail':
      return () => fail(operation.code, operation, operation.message);
    case 'Param': {
      const { slot } = operation;
      if (!operation.input) return (slots) => slots[slot];
      return (slots) => {
        const value = slots[slot];
        return isNoValue(value) ? checkedInput(value, operation) : value;
      };
    }
    case 'Capture':
      return captureClosure(operation, builder);
    case 'Member':
      return memberClosure(operation, builder);
    case 'Index':
      return indexClosure(operation, builder);
    case 'Method':
      return methodClosure(operation, builder);
    case 'Host':
      return hostClosure(operation, builder);
    case 'Static':
      return staticClosure(operation, builder);
    case 'Apply':
      return applyClosure(operation, builder);
    case 'Lambda':
      return lambdaClosure(operation, builder);
    case 'Binary':
      return binaryClosure(
        operation,
        builder.closure(operation.left),
        builder.closure(operation.right),
        builder.watch !== undefined,
      );
    case 'Logical':
      return logicalClosure(operation, builder);
    case 'Unary': {
      const operand = builder.closure(operation.operand);
      if (operation.op === '!') return (slots) => !operand(slots);
      const apply = UNARY[operation.op];
      return (slots) => apply(operand(slots), operation);
    }
    case 'Ternary': {
      const test = builder.closure(operation.test);
      const yes = builder.closure(operation.then);
      const no = builder.closure(operation.else);
      return (slots) => (test(slots) ? yes(slots) : no(slots));
    }
    case 'Template':
      return templateClosure(operation, builder);
    case 'ObjectLit':
      return objectClosure(operation, builder);
    case 'ArrayLit':
      return arrayClosure(operation, builder);
    case 'In': {
      const haystack = builder.closure(operation.haystack);
      const needle = builder.closure(operation.needle);
      return (slots) => isMember(haystack(slots), needle(slots), operation);
    }
    case 'OneOf': {
      const { values } = operation;
      const needle = builder.closure(operation.needle);
      return (slots) => values.has(needle(slots));
    }
  }
};

const logicalClosure = (operation: LogicalOp, builder: Builder): Closure => {
  const { op, left: first } = operation;
  // What decides first is asked first: `a && b && c` is `a && (b && c)`.
  if (first.kind === 'Logical' && first.op === op && !builder.watch)
    return logicalClosure({ ...first, right: { ...operation, left: first.right } }, builder);
  const left = builder.closure(first);
  const right = builder.closure(operation.right);
  switch (op) {
    case '??':
      return (slots) => left(slots) ?? right(slots);
    case '&&':
      return (slots) => left(slots) && right(slots);
    case '||':
      return (slots) => left(slots) || right(slots);
  }
};
