import { ExpressionError } from './issue.ts';
import type { Limits } from './limits.ts';
import type { Node, Span } from './node.ts';
import { partsOf, pathTo } from './parts.ts';

/** The length of a text in UTF-8; a lone surrogate counts as three bytes. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

export const limitMessage = (name: keyof Limits, actual: number, limit: number): string =>
  `${actual} is over the limit of ${limit} (${name})`;

/** Refuses what is beyond a limit. */
export const checkLimit = (
  limits: Limits,
  name: keyof Limits,
  actual: number,
  at: { readonly path: string; readonly span?: Span | undefined },
): void => {
  const limit = limits[name];
  if (actual > limit)
    throw new ExpressionError(`limit.${name}`, at.path, limitMessage(name, actual, limit), at.span, {
      limit,
      actual,
    });
};

/** Refuses trees that are too deep or too large without recursion, so that what follows may recurse. */
export const checkBounds = (tree: Node, limits: Limits): void => {
  const open: { node: Node; path: string; depth: number; lambdas: number }[] = [
    { node: tree, path: '/root', depth: 1, lambdas: 0 },
  ];
  let nodes = 0;
  for (let item = open.pop(); item; item = open.pop()) {
    const { node, path, depth } = item;
    if (typeof node !== 'object' || node === null) throw new ExpressionError('eval.node', path, 'Not a node');
    const lambdas = item.lambdas + (node.kind === 'Lambda' ? 1 : 0);
    checkLimit(limits, 'depth', depth, { path: '/root' });
    checkLimit(limits, 'nodes', ++nodes, { path: '/root' });
    checkLimit(limits, 'lambdaNesting', lambdas, { path, span: node.span });
    for (const { part, keys } of partsOf(node))
      open.push({ node: part, path: pathTo(path, keys), depth: depth + 1, lambdas });
  }
};
