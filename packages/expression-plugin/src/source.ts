import { type ParserPlugin, parse } from '@babel/parser';

/** A node of Babel's tree, as far as it is walked here. */
export interface SourceNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** The program in a file, with whatever types and JSX it has. */
export const parseSource = (code: string, file: string): SourceNode => {
  const name = file.replace(/\?.*$/, '');
  const plugins: ParserPlugin[] = ['decorators-legacy'];
  if (/\.[cm]?tsx?$/.test(name)) plugins.push('typescript');
  if (!/\.[cm]?ts$/.test(name)) plugins.push('jsx');
  // What else is wrong with the file is told by the bundler.
  const options = { sourceType: 'module', errorRecovery: true, createParenthesizedExpressions: true } as const;
  const { program } = parse(code, { ...options, plugins });
  return program as unknown as SourceNode;
};

const isNode = (value: unknown): value is SourceNode =>
  typeof value === 'object' && value !== null && typeof (value as SourceNode).type === 'string';

const partsOf = (node: SourceNode): SourceNode[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode);

/** Visits a node and all below it; what `visit` answers with false is not looked into. */
export const walkSource = (node: SourceNode, visit: (node: SourceNode) => boolean | void): void => {
  const open = [node];
  for (let next = open.pop(); next; next = open.pop())
    if (visit(next) !== false) open.push(...partsOf(next).toReversed());
};

const blanks = (length: number): string => ' '.repeat(length);

/** The text of a lambda without its types: spaces stand in their place, so that all else stays where it was. */
export const withoutTypes = (lambda: SourceNode, code: string): string => {
  let text = code.slice(lambda.start, lambda.end);
  const blank = (from: number, to: number): void => {
    const [start, end] = [from - lambda.start, to - lambda.start];
    text =
      text.slice(0, start) +
      text.slice(start, end).replace(/[^\n]+/g, ({ length }) => blanks(length)) +
      text.slice(end);
  };
  walkSource(lambda, (node) => {
    const inner = node['expression'] as SourceNode | undefined;
    switch (node.type) {
      case 'TSTypeAnnotation':
      case 'TSTypeParameterDeclaration':
      case 'TSTypeParameterInstantiation':
        blank(node.start, node.end);
        return false;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        blank(inner!.end, node.end);
        return true;
      case 'Identifier':
        if (node['optional'] === true) {
          const mark = node.start + (node['name'] as string).length;
          blank(mark, code.indexOf('?', mark) + 1);
        }
        return true;
      default:
        return true;
    }
  });
  return text;
};
