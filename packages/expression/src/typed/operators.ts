import { readAll } from '../text/js.ts';
import { openParser } from '../text/parser.ts';
import { ExpressionError } from '../tree/issue.ts';
import { LIBRARY_LIMITS } from '../tree/limits.ts';
import type { Node } from '../tree/node.ts';
import { type Visit, walk } from '../tree/walk.ts';

const INSTEAD: Readonly<Record<string, string>> = {
  '&&': 'and',
  '||': 'or',
  '??': 'else',
  '!': 'not',
  '===': 'eq',
  '!==': 'ne',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'over',
  '%': 'modulo',
  '**': 'power',
  in: 'isIn',
  '? :': 'choose',
};

/**
 * Refuses a function that applies an operator of JavaScript to one of its expressions, which are objects and always truthy:
 * `t.flaky || x` would be `t.flaky`. The source tells; of one that is no expression nothing is said.
 */
export const refuseOperators = (fn: (...args: never[]) => unknown): void => {
  const text = Function.prototype.toString.call(fn);
  const parser = openParser(text, { limits: LIBRARY_LIMITS, spans: true });
  const root = readAll(parser);
  if (parser.issues.length > 0 || root.kind !== 'Lambda') return;
  walk(root, {
    enter: (visit) => {
      const { node } = visit;
      const op = 'op' in node ? node.op : node.kind === 'Ternary' ? '? :' : undefined;
      if (op === undefined) return;
      const operand = operandsOf(node).find((one) => isExpression(one, visit));
      if (!operand) return;
      const written = text.slice(operand.span?.start, operand.span?.end);
      const instead = INSTEAD[op] ?? 'an operation of it';
      const message = `JavaScript's ${op} does not see the value of ${written}: use ${instead}`;
      throw new ExpressionError('lambda.operator', '', message, node.span, { instead });
    },
  });
};

/** The operands that an operator looks at. */
const operandsOf = (node: Node): readonly Node[] => {
  if (node.kind === 'Ternary') return [node.test];
  if (node.kind === 'Unary') return [node.operand];
  if (node.kind === 'Logical') return [node.left];
  return node.kind === 'Binary' ? [node.left, node.right] : [];
};

const baseOf = (node: Node): Node => {
  let base = node;
  for (;;) {
    if (base.kind === 'Call') base = base.callee;
    else if (base.kind === 'Member' || base.kind === 'Index') base = base.object;
    else return base;
  }
};

/** Whether a chain begins at a parameter of the function, or of a lambda that a method of such a chain takes. */
const isExpression = (node: Node, visit: Visit): boolean => {
  const base = baseOf(node);
  if (base.kind !== 'Param') return false;
  for (let at: Visit | undefined = visit; at; at = at.parent) {
    if (at.node.kind !== 'Lambda' || !at.node.params.includes(base.name)) continue;
    const taker = at.parent;
    return taker === undefined || (taker.node.kind === 'Call' && isExpression(taker.node.callee, taker));
  }
  return false;
};
