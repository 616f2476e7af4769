import { type ESTree, Visitor, parseSync } from 'rolldown/utils';

/** A source with one thing changed. */
export interface Mutant {
  /** Its path from the root. */
  readonly file: string;
  readonly line: number;
  readonly change: string;
  readonly text: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&': '|',
  '|': '&',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

type Place = { readonly start: number; readonly end: number };

/** Every change of one operator, condition, constant or call of a source. */
export const mutantsOf = (file: string, source: string): Mutant[] => {
  const mutants: Mutant[] = [];
  const types = new Set<number>();
  const replace = ({ start, end }: Place, text: string): void => {
    const before = source.slice(start, end);
    mutants.push({
      file,
      line: source.slice(0, start).split('\n').length,
      change: `${oneLine(before)} → ${oneLine(text)}`,
      text: source.slice(0, start) + text + source.slice(end),
    });
  };
  const textOf = ({ start, end }: Place): string => source.slice(start, end);
  /** Where the operator itself is mutated to its opposite, this would be the same mutant. */
  const negate = (test: ESTree.Expression): void => {
    const hasOpposite = 'operator' in test && ['===', '!==', '!'].includes(test.operator);
    if (!hasOpposite) replace(test, `!(${textOf(test)})`);
  };
  const swap = ({ left, operator, right }: { left: Place; operator: string; right: Place }): void => {
    const other = OPERATORS[operator];
    if (other !== undefined)
      replace({ start: left.start, end: right.end }, `(${textOf(left)} ${other} ${textOf(right)})`);
  };
  new Visitor({
    BinaryExpression: swap,
    LogicalExpression: swap,
    ConditionalExpression: ({ test }) => negate(test),
    IfStatement: ({ test }) => negate(test),
    UnaryExpression(node) {
      if (node.operator === '!') replace(node, textOf(node.argument));
    },
    TSLiteralType: ({ literal }) => void types.add(literal.start),
    Literal(node: ESTree.BooleanLiteral | ESTree.NumericLiteral | ESTree.Expression) {
      if (!('value' in node) || types.has(node.start)) return;
      if (typeof node.value === 'boolean') replace(node, String(!node.value));
      if (typeof node.value === 'number') replace(node, String(node.value + 1));
    },
    ExpressionStatement(node) {
      const called = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
      if (called.type === 'CallExpression') replace(node, ';');
    },
  }).visit(parseSync(file, source).program);
  return mutants;
};

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 87)}…` : line;
};
