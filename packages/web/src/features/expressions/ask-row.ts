import { FILTER_LIMITS, type FilterRow } from '@assay/contract/filter';
import {
  evaluate,
  type Explained,
  explain,
  ExpressionError,
  type Node,
  print,
  type Value,
  walk,
} from '@assay/expression';

export interface Answer {
  readonly row: FilterRow;
  readonly state: 'match' | 'no match' | 'too costly' | 'error';
  /** Why it has no answer. */
  readonly message: string | null;
  readonly steps: number | null;
}

const MOST_CHARACTERS = 120;

const optionsFor = (tree: Node, row: FilterRow, steps = FILTER_LIMITS.steps) => ({
  params: { [rowName(tree)]: row },
  clock: Date.now,
  limits: { ...FILTER_LIMITS, steps },
});

const rowName = (tree: Node): string => (tree.kind === 'Lambda' ? tree.params[0]! : 't');

/** What an expression says of a row, and what that costs. */
export const askRow = (tree: Node, row: FilterRow): Answer => {
  try {
    const matches = Boolean(evaluate(tree, optionsFor(tree, row)));
    return { row, state: matches ? 'match' : 'no match', message: null, steps: stepsOf(tree, row) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const state = error.code === 'limit.steps' ? 'too costly' : 'error';
    return { row, state, message: error.message, steps: null };
  }
};

/** The smallest budget that an evaluation stays within. */
const stepsOf = (tree: Node, row: FilterRow): number => {
  let [tooFew, enough] = [0, FILTER_LIMITS.steps];
  while (enough - tooFew > 1) {
    const steps = (tooFew + enough) >> 1;
    try {
      evaluate(tree, optionsFor(tree, row, steps));
      enough = steps;
    } catch {
      tooFew = steps;
    }
  }
  return enough;
};

export interface Part {
  readonly depth: number;
  readonly text: string;
  /** What it gave, or why it gave nothing. */
  readonly value: string;
  readonly state: 'value' | 'error' | 'none';
  /** How often it was evaluated; `value` is the last one. */
  readonly times: number;
}

/** Every part of an expression with its value for a row, whole before parts. Constants, globals and the row are left out. */
export const explainRow = (tree: Node, row: FilterRow): Part[] => {
  const parts: Part[] = [];
  const add = (explained: Explained, depth: number): void => {
    const { node, outcome, times } = explained;
    const isPlain = node.kind === 'Constant' || ('name' in node && (node.name === rowName(tree) || 'global' in node));
    if (isPlain) return;
    // A function and the method that takes it have no value of their own, their parts have.
    const isShown = node.kind !== 'Lambda' && outcome.state !== 'callee';
    if (isShown) parts.push({ depth, text: cut(print(node)), ...told(explained), times });
    if (outcome.state === 'skipped') return;
    for (const part of explained.parts) add(part, isShown ? depth + 1 : depth);
  };
  add(explain(tree, optionsFor(tree, row)), 0);
  return parts;
};

const told = ({ outcome, parts }: Explained): Pick<Part, 'value' | 'state'> => {
  if (outcome.state === 'value') return { state: 'value', value: writeValue(outcome.value) };
  if (outcome.state === 'error') return parts.some(failed) ? UNFINISHED : { state: 'error', value: 'failed here' };
  return { state: 'none', value: outcome.state === 'short' ? 'undefined: the chain ended' : 'not evaluated' };
};

const UNFINISHED = { state: 'none', value: 'not finished' } as const;

const failed = ({ outcome, parts }: Explained): boolean => outcome.state === 'error' || parts.some(failed);

/** Stops where there is no more room: a list may hold another one thousands of times. */
const writeValue = (value: Value, room = MOST_CHARACTERS): string => {
  if (room <= 0) return '…';
  if (typeof value === 'string') return print({ kind: 'Constant', value: cut(value) });
  if (Array.isArray(value)) return `[${writeEach(value, room, (item, left) => writeValue(item, left - 1))}]`;
  if (!isObject(value)) return print({ kind: 'Constant', value }).replace(/^const /, '');
  const entry = ([name, item]: [string, Value], left: number): string => `${name}: ${writeValue(item, left - 1)}`;
  return `{ ${writeEach(Object.entries(value), room, entry)} }`;
};

const isObject = (value: Value): value is { readonly [name: string]: Value } =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof RegExp);

const writeEach = <Item>(items: readonly Item[], room: number, write: (item: Item, left: number) => string): string => {
  const written: string[] = [];
  let left = room;
  for (const item of items) {
    if (left <= 0) return [...written, '…'].join(', ');
    const text = write(item, left);
    left -= text.length + 2;
    written.push(text);
  }
  return written.join(', ');
};

const cut = (text: string): string => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text);

/** A line for each node, indented by its depth. */
export const outlineOf = (tree: Node): string => {
  const lines: string[] = [];
  walk(tree, {
    enter: ({ node, depth }) => {
      lines.push(`${'  '.repeat(depth - 1)}${node.kind} ${detailOf(node)}`.trimEnd());
    },
  });
  return lines.join('\n');
};

const detailOf = (node: Node): string => {
  if ('op' in node) return node.op;
  if ('name' in node) return node.name;
  if ('prop' in node) return `${node.optional ? '?.' : '.'}${node.prop}`;
  if (node.kind === 'Constant') return writeValue(node.value);
  return node.kind === 'Lambda' ? node.params.join(', ') : '';
};
