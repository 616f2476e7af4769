import fc from 'fast-check';
import { expect, it } from 'vitest';
import { treeArbitrary } from '../../test/arbitrary-tree.ts';
import { build, isEnvelope, type Node, pathOf, serialize, walk } from '../index.ts';

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
    { numRuns: 300 },
  );
});

it('a text is no envelope, what it says may be one', () => {
  const envelope = serialize(tree);
  expect(isEnvelope(envelope)).toBe(true);
  expect(isEnvelope(JSON.stringify(envelope))).toBe(false);
});
