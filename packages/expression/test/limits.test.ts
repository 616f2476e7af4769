import { describe, expect, test } from 'vitest';
import { ExpressionError, type Limits, type Node, compile, evaluate, parseText } from '../src/index.ts';

const treeOf = (text: string): Node => {
  const parsed = parseText(text);
  if (!parsed.ok) throw new Error(parsed.issues[0]?.message);
  return parsed.tree;
};
const detailsOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [error.code, error.details];
  }
};

describe.each<[name: keyof Limits, text: string, limit: number, actual: number]>([
  ['steps', '[1, 2].map(x => x)', 29, 30],
  ['outputStringLength', '"ab".repeat(6)', 10, 12],
  ['outputArrayLength', '[1, 2].concat([3, 4])', 3, 4],
  ['bigintDigits', '999n * 999n', 5, 6],
  ['regexpLength', 'RegExp("abcd")', 3, 4],
  ['depth', '1 + (2 + (3 + 4))', 3, 4],
  ['nodes', '[1, 2]', 2, 3],
  ['lambdaNesting', '(x => (y => y)(x))(1)', 1, 2],
])('limit.%s of an evaluation', (name, text, limit, actual) => {
  const tree = treeOf(text);
  const at = (bound: number) => ({ limits: { [name]: bound }, regexps: true });

  test('carries the limit and what was found', () => {
    const expected = [`limit.${name}`, { limit, actual }];
    expect(detailsOf(() => evaluate(tree, at(limit)))).toEqual(expected);
    for (const mode of ['code', 'closure'] as const)
      expect(detailsOf(() => compile(tree, { ...at(limit), mode, data: 'plain' })())).toEqual(expected);
  });

  test('lets what is just as large pass', () => {
    expect(() => evaluate(tree, at(actual))).not.toThrow();
  });
});
