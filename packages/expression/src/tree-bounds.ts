import { ExpressionError } from './issue.ts';
import type { Limits } from './limits.ts';
import type { Node } from './node.ts';

/** The parts of a node with the JSON Pointer from it to each. */
export const partsOf = (node: Node): readonly (readonly [pointer: string, part: Node])[] => {
  switch (node.kind) {
    case 'Member':
      return [['/object', node.object]];
    case 'Index':
      return [
        ['/object', node.object],
        ['/index', node.index],
      ];
    case 'Call':
      return [['/callee', node.callee], ...node.args.map((arg, at) => [`/args/${at}`, arg] as const)];
    case 'Binary':
    case 'Logical':
      return [
        ['/left', node.left],
        ['/right', node.right],
      ];
    case 'Unary':
      return [['/operand', node.operand]];
    case 'Ternary':
      return [
        ['/test', node.test],
        ['/then', node.then],
        ['/else', node.else],
      ];
    case 'Template':
      return node.exprs.map((expr, at) => [`/exprs/${at}`, expr]);
    case 'ObjectLit':
      return node.props.map((prop, at) =>
        'spread' in prop ? [`/props/${at}/spread`, prop.spread] : [`/props/${at}/value`, prop.value],
      );
    case 'ArrayLit':
      return node.elements.map((element, at) =>
        'spread' in element ? [`/elements/${at}/spread`, element.spread] : [`/elements/${at}`, element],
      );
    case 'Lambda':
      return [['/body', node.body]];
    case 'In':
      return [
        ['/needle', node.needle],
        ['/haystack', node.haystack],
      ];
    case 'Param':
    case 'Capture':
    case 'Constant':
    default:
      return [];
  }
};

/** Refuses trees that are too deep or too large without recursion, so that what follows may recurse. */
export const checkBounds = (tree: Node, limits: Limits): void => {
  const open: { node: Node; path: string; depth: number; lambdas: number }[] = [
    { node: tree, path: '/root', depth: 0, lambdas: 0 },
  ];
  let nodes = 0;
  for (let item = open.pop(); item; item = open.pop()) {
    const { node, path, depth } = item;
    if (typeof node !== 'object' || node === null) throw new ExpressionError('eval.node', path, 'Not a node');
    const lambdas = item.lambdas + (node.kind === 'Lambda' ? 1 : 0);
    if (depth > limits.depth) throw new ExpressionError('limit.depth', '/root', `Deeper than ${limits.depth}`);
    if (++nodes > limits.nodes) throw new ExpressionError('limit.nodes', '/root', `More than ${limits.nodes} nodes`);
    if (lambdas > limits.lambdaNesting)
      throw new ExpressionError('limit.lambdaNesting', path, `Lambdas deeper than ${limits.lambdaNesting}`, node.span);
    for (const [pointer, part] of partsOf(node))
      open.push({ node: part, path: path + pointer, depth: depth + 1, lambdas });
  }
};
