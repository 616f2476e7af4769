import type { Node, Ternary } from './node.ts';

/** The same node over other parts, each given with the name of the field that holds it. */
export const replaceParts = (node: Node, replace: (part: Node, place: string) => Node): Node => {
  switch (node.kind) {
    case 'Param':
    case 'Capture':
    case 'Constant':
      return node;
    case 'Member':
      return { ...node, object: replace(node.object, 'object') };
    case 'Index':
      return { ...node, object: replace(node.object, 'object'), index: replace(node.index, 'index') };
    case 'Call':
      return {
        ...node,
        callee: replaceCallee(node.callee, replace),
        args: node.args.map((arg) => replace(arg, 'args')),
      };
    case 'Binary':
      return {
        ...node,
        left: replace(node.left, 'left'),
        right: node.op === 'instanceof' ? node.right : replace(node.right, 'right'),
      };
    case 'Logical':
      return { ...node, left: replace(node.left, 'left'), right: replace(node.right, 'right') };
    case 'Unary':
      return { ...node, operand: replace(node.operand, 'operand') };
    case 'Ternary':
      return ternary(node, replace(node.test, 'test'), replace(node.then, 'then'), replace(node.else, 'else'));
    case 'Template':
      return { ...node, exprs: node.exprs.map((expr) => replace(expr, 'exprs')) };
    case 'ObjectLit':
      return {
        ...node,
        props: node.props.map((prop) =>
          'spread' in prop
            ? { spread: replace(prop.spread, 'spread') }
            : { key: prop.key, value: replace(prop.value, 'value') },
        ),
      };
    case 'ArrayLit':
      return {
        ...node,
        elements: node.elements.map((element) =>
          'spread' in element ? { spread: replace(element.spread, 'spread') } : replace(element, 'elements'),
        ),
      };
    case 'Lambda':
      return { ...node, body: replace(node.body, 'body') };
    case 'In':
      return { ...node, needle: replace(node.needle, 'needle'), haystack: replace(node.haystack, 'haystack') };
  }
};

const ternary = (node: Ternary, test: Node, yes: Node, no: Node): Node =>
  // oxlint-disable-next-line unicorn/no-thenable -- the format names it so
  ({ ...node, test, then: yes, else: no });

/** What is called is no part of its own: a method stays a method, whatever its object becomes. */
const replaceCallee = (callee: Node, replace: (part: Node, place: string) => Node): Node => {
  if (callee.kind === 'Member') return { ...callee, object: replace(callee.object, 'object') };
  if (callee.kind === 'Index' && callee.index.kind === 'Constant')
    return { ...callee, object: replace(callee.object, 'object') };
  return callee.kind === 'Lambda' ? replace(callee, 'callee') : callee;
};
