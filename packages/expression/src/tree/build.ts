import { ExpressionError } from './issue.ts';
import type * as nodes from './node.ts';
import type { Node, Spread } from './node.ts';
import { copyValue } from './value.ts';

/** The kinds as functions. What they give is frozen; what they take as an array is copied. */

const freeze = Object.freeze;

function named(name: string): string {
  if (name === '__proto__') throw new ExpressionError('key.forbidden', '', '`__proto__` is never a name.');
  return name;
}

const optionally = (optional: boolean): { readonly optional?: true } => (optional ? { optional: true } : {});

export function param(name: string): nodes.Param {
  return freeze({ kind: 'Param', name: named(name) });
}

export function capture(name: string): nodes.Capture {
  return freeze({ kind: 'Capture', name: named(name) });
}

export function global(name: nodes.Global): nodes.Capture {
  return freeze({ kind: 'Capture', name, global: true });
}

/** Copies its value; throws an `ExpressionError` `constant.unsupported` for what no constant can hold. */
export function constant(value: nodes.Value): nodes.Constant {
  return freeze({ kind: 'Constant', value: copyValue(value) });
}

export function member(object: Node, prop: string, optional = false): nodes.Member {
  return freeze({ kind: 'Member', object, prop: named(prop), ...optionally(optional) });
}

export function index(object: Node, position: Node, optional = false): nodes.Index {
  return freeze({ kind: 'Index', object, index: position, ...optionally(optional) });
}

export function call(callee: Node, args: readonly Node[] = [], optional = false): nodes.Call {
  return freeze({ kind: 'Call', callee, args: freeze([...args]), ...optionally(optional) });
}

export function binary(op: nodes.BinaryOperator, left: Node, right: Node): nodes.Binary {
  return freeze({ kind: 'Binary', op, left, right });
}

export function logical(op: nodes.LogicalOperator, left: Node, right: Node): nodes.Logical {
  return freeze({ kind: 'Logical', op, left, right });
}

export function unary(op: nodes.UnaryOperator, operand: Node): nodes.Unary {
  return freeze({ kind: 'Unary', op, operand });
}

export function ternary(test: Node, then: Node, otherwise: Node): nodes.Ternary {
  // oxlint-disable-next-line unicorn/no-thenable -- the format's own name
  return freeze({ kind: 'Ternary', test, then, else: otherwise });
}

export function template(quasis: readonly string[], exprs: readonly Node[]): nodes.Template {
  if (quasis.length !== exprs.length + 1) {
    throw new ExpressionError('template.arity', '', 'A template has one quasi more than expressions.');
  }
  return freeze({ kind: 'Template', quasis: freeze([...quasis]), exprs: freeze([...exprs]) });
}

export function spread(node: Node): Spread {
  return freeze({ spread: node });
}

export function property(key: string, value: Node): nodes.Property {
  return freeze({ key: named(key), value });
}

export function objectLit(props: readonly (nodes.Property | Spread)[]): nodes.ObjectLit {
  return freeze({ kind: 'ObjectLit', props: freeze([...props]) });
}

export function arrayLit(elements: readonly (Node | Spread)[]): nodes.ArrayLit {
  return freeze({ kind: 'ArrayLit', elements: freeze([...elements]) });
}

export function lambda(params: readonly string[], body: Node): nodes.Lambda {
  if (new Set(params).size !== params.length) {
    throw new ExpressionError('lambda.duplicateParam', '', 'A lambda names each parameter once.');
  }
  return freeze({ kind: 'Lambda', params: freeze(params.map(named)), body });
}

export function isIn(needle: Node, haystack: Node): nodes.In {
  return freeze({ kind: 'In', needle, haystack });
}
