import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { treeArbitrary } from '../../test/arbitrary-tree.ts';
import { build, canonical, isEnvelope, type Node, pathOf, rewrite, serialize, walk } from '../index.ts';

const { arrayLit, call, constant, lambda, member, objectLit, param, property, spread, template } = build;

const tree = lambda(
  ['t'],
  call(member(param('t'), 'f'), [
    arrayLit([constant(1), spread(param('a'))]),
    objectLit([property('k', param('b')), spread(param('c'))]),
    template(['', ''], [param('d')]),
  ]),
);

it('goes through every node with its path, down and up again', () => {
  const down: string[] = [];
  const up: string[] = [];
  walk(tree, { enter: (visit) => void down.push(pathOf(visit)), leave: (visit) => void up.push(pathOf(visit)) });
  expect(down).toEqual([
    '/root',
    '/root/body',
    '/root/body/callee',
    '/root/body/callee/object',
    '/root/body/args/0',
    '/root/body/args/0/elements/0',
    '/root/body/args/0/elements/1/spread',
    '/root/body/args/1',
    '/root/body/args/1/props/0/value',
    '/root/body/args/1/props/1/spread',
    '/root/body/args/2',
    '/root/body/args/2/exprs/0',
  ]);
  expect(up.at(-1)).toBe('/root');
  expect(up[0]).toBe('/root/body/callee/object');
  expect(up.toSorted()).toEqual(down.toSorted());
});

it('leaves out what lies below a node whose enter is false', () => {
  const seen: string[] = [];
  walk(tree, {
    enter: ({ node, parent, depth }) => {
      seen.push(`${depth} ${node.kind} in ${parent?.node.kind}`);
      return node.kind !== 'Call';
    },
  });
  expect(seen).toEqual(['1 Lambda in undefined', '2 Call in Lambda']);
});

it('finds each node where its path says', () => {
  fc.assert(
    fc.property(treeArbitrary, (tree: Node) => {
      walk(tree, {
        enter: (visit) => {
          let at: unknown = { root: tree };
          for (const key of pathOf(visit).split('/').slice(1)) at = (at as Record<string, unknown>)[key];
          expect(at).toBe(visit.node);
        },
      });
    }),
    { numRuns: draws(100, 300) },
  );
});

it('a text is no envelope, what it says may be one', () => {
  const envelope = serialize(tree);
  expect(isEnvelope(envelope)).toBe(true);
  expect(isEnvelope(JSON.stringify(envelope))).toBe(false);
});

it('rewriting nothing gives the tree itself', () => {
  fc.assert(
    fc.property(treeArbitrary, (tree) => {
      expect(rewrite(tree, () => undefined)).toBe(tree);
      expect(rewrite(tree, (node) => ({ ...node }))).toEqual(tree);
    }),
    { numRuns: draws(70, 200) },
  );
});

it('rewriting changes what it is told, from the leaves up, and shares the rest', () => {
  const wrapped = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(wrapped);
    const parts = Object.fromEntries(Object.entries(node).map(([key, part]) => [key, wrapped(part)]));
    return parts['kind'] === 'Param' ? { kind: 'Unary', op: '!', operand: parts } : parts;
  };
  fc.assert(
    fc.property(treeArbitrary, (tree) => {
      const rewritten = rewrite(tree, (node) => (node.kind === 'Param' ? build.unary('!', node) : undefined));
      const bare = rewrite(tree, (node) => (node.kind === 'Constant' ? build.constant(0) : undefined));
      const expected = rewrite(bare, (node) => (node.kind === 'Param' ? build.unary('!', node) : undefined));
      expect(JSON.parse(canonical(expected)).root).toEqual(wrapped(serialize(bare).root));
      expect(canonical(rewrite(rewritten, (node) => (isWrapped(node) ? node.operand : undefined)))).toBe(
        canonical(rewrite(tree, (node) => (isWrapped(node) ? node.operand : undefined))),
      );
    }),
    { numRuns: draws(70, 200) },
  );
  const left = build.member(param('a'), 'x');
  const both = build.binary('+', left, param('b'));
  const changed = rewrite(both, (node, visit) => {
    if (node.kind === 'Param' && node.name === 'b') return constant(pathOf(visit));
  });
  expect(changed).toEqual(build.binary('+', left, constant('/root/right')));
  expect(changed.kind === 'Binary' && changed.left).toBe(left);
});

const isWrapped = (node: Node): node is Node & { readonly operand: Node } =>
  node.kind === 'Unary' && node.op === '!' && node.operand.kind === 'Param';

it('rewriting needs no stack for depth', () => {
  let deep: Node = param('t');
  for (let depth = 0; depth < 50_000; depth++) deep = build.unary('!', deep);
  let nodes = 0;
  rewrite(deep, (node) => {
    nodes++;
    return node.kind === 'Unary' ? { ...node, op: '-' } : undefined;
  });
  expect(nodes).toBe(50_001);
});
