import type { BinaryOperator, LogicalOperator, Node } from '../tree/node.ts';
import { done, type Parser, unsupported } from './parser.ts';
import { report } from './source.ts';

/** As in JavaScript, `??` stands beside `||` and `&&` only with parentheses. */
export function refuseMixed(
  parser: Parser,
  op: string,
  left: Node,
  leftGrouped: boolean,
  right: Node,
  from: number,
  to: number,
): void {
  const mixes = (node: Node): boolean => node.kind === 'Logical' && (node.op === '??') !== (op === '??');
  if ((mixes(left) && !leftGrouped) || (mixes(right) && parser.grouped !== right)) {
    report(parser, 'text.mixed', from, to, 'Beside ?? the operators || and && need parentheses');
  }
}

/** What an operator makes of its operands. */
export function combine(
  parser: Parser,
  op: string,
  left: Node,
  right: Node,
  start: number,
  from: number,
  to: number,
): Node {
  switch (op) {
    case '&&':
    case '||':
    case '??':
      return done(parser, { kind: 'Logical', op: op satisfies LogicalOperator, left, right }, start);
    case 'of':
      return done(parser, { kind: 'In', needle: left, haystack: right }, start);
    case '==':
    case '!=':
      unsupported(parser, from, to, `${op} is not part of the format: write ${op}=`, `${op}=`);
      return left;
    case '&':
    case '|':
    case '^':
    case '<<':
    case '>>':
    case '>>>':
      unsupported(parser, from, to, `${op} is not part of the format`, op === '&' || op === '|' ? op + op : undefined);
      return left;
    default:
      return done(parser, { kind: 'Binary', op: op as BinaryOperator, left, right }, start);
  }
}
