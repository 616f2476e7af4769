import { RESULT_FIELDS } from '@assay/contract/filter';
import type { Node } from '@assay/expression';
import type { Outline, Range } from '../../segments/outline.ts';
import { placeOfTag } from '../../segments/outline.ts';
import { placesWithin } from '../../segments/text-places.ts';

/*
 * What a filter may be for some result of a run, as far as the outline of the run tells. Whatever is not understood here
 * may be anything, so that a run is left out only when none of its results can match.
 */

interface Maybe {
  /** Whether it may hold for a result. */
  readonly holds: boolean;
  /** Whether it may not hold for one. */
  readonly fails: boolean;
}

type Ask = (outline: Outline) => Maybe;

const ANYTHING: Maybe = { holds: true, fails: true };
const anything: Ask = () => ANYTHING;
const NEVER: Maybe = { holds: false, fails: true };
const never: Ask = () => NEVER;

/** What a filter that is no function calls the row. */
const ROW = RESULT_FIELDS.row ?? 't';

/** Null when no outline can rule a run out. */
export const planSkipping = (tree: Node): ((outline: Outline) => boolean) | null => {
  const [param, body] = tree.kind === 'Lambda' ? [tree.params[0] ?? ROW, tree.body] : [ROW, tree];
  const ask = askFor(body, param);
  return ask === anything ? null : (outline) => ask(outline).holds;
};

const askFor = (node: Node, row: string): Ask => {
  switch (node.kind) {
    case 'Constant':
      return node.value ? anything : never;
    case 'Logical':
      return askLogical(node.op, askFor(node.left, row), askFor(node.right, row));
    case 'Unary': {
      const operand = node.op === '!' ? askFor(node.operand, row) : anything;
      if (operand === anything) return anything;
      return (outline) => {
        const { holds, fails } = operand(outline);
        return { holds: fails, fails: holds };
      };
    }
    case 'Ternary': {
      const [test, yes, no] = [askFor(node.test, row), askFor(node.then, row), askFor(node.else, row)];
      if (yes === anything && no === anything) return anything;
      return (outline) => {
        const [chosen, first, second] = [test(outline), yes(outline), no(outline)];
        return {
          holds: (chosen.holds && first.holds) || (chosen.fails && second.holds),
          fails: (chosen.holds && first.fails) || (chosen.fails && second.fails),
        };
      };
    }
    case 'Binary':
      return askComparison(node.op, node.left, node.right, row);
    case 'In':
      return askAmong(node.needle, node.haystack, row);
    case 'Member':
      return fieldOf(node, row) === 'flaky' ? askFlaky : anything;
    case 'Call':
      return askCall(node, row);
    case 'Param':
    case 'Capture':
    case 'Index':
    case 'Template':
    case 'ObjectLit':
    case 'ArrayLit':
    case 'Lambda':
      return anything;
  }
};

const askLogical = (op: '&&' | '||' | '??', left: Ask, right: Ask): Ask => {
  if (op === '??' || (left === anything && right === anything)) return anything;
  if (op === '||' && (left === anything || right === anything)) return anything;
  return (outline) => {
    const [a, b] = [left(outline), right(outline)];
    return op === '&&'
      ? { holds: a.holds && b.holds, fails: a.fails || b.fails }
      : { holds: a.holds || b.holds, fails: a.fails && b.fails };
  };
};

/** The field of the row that a node is. */
const fieldOf = (node: Node, row: string): string | null =>
  node.kind === 'Member' && node.object.kind === 'Param' && node.object.name === row ? node.prop : null;

const OPPOSITE: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

const askComparison = (op: string, left: Node, right: Node, row: string): Ask => {
  if (left.kind === 'Constant' && right.kind !== 'Constant') {
    return askComparison(OPPOSITE[op] ?? op, right, left, row);
  }
  const field = fieldOf(left, row);
  if (field === null || right.kind !== 'Constant') return anything;
  const { value } = right;
  if (op === '===') return askEqual(field, value);
  if (op === '!==') {
    const equal = askEqual(field, value);
    if (equal === anything) return anything;
    return (outline) => {
      const { holds, fails } = equal(outline);
      return { holds: fails, fails: holds };
    };
  }
  if (typeof value !== 'number' || OPPOSITE[op] === undefined) return anything;
  if (field === 'retries') return ({ retries }) => compareRange(op, [retries], value);
  if (field !== 'duration') return anything;
  // Null is 0 beside a number.
  return ({ durationMs, lacksDuration }) =>
    compareRange(op, [...(durationMs ? [durationMs] : []), ...(lacksDuration ? [ZERO] : [])], value);
};

const ZERO: Range = { min: 0, max: 0 };

const compareRange = (op: string, ranges: readonly Range[], value: number): Maybe => {
  const holds = (least: number, most: number): boolean =>
    op === '<' ? least < value : op === '<=' ? least <= value : op === '>' ? most > value : most >= value;
  return {
    holds: ranges.some(({ min, max }) => holds(min, max)),
    fails: ranges.some(({ min, max }) => !holds(max, min)),
  };
};

const askFlaky: Ask = ({ hasFlaky, hasOther }) => ({ holds: hasFlaky, fails: hasOther });

const askEqual = (field: string, value: unknown): Ask => {
  switch (field) {
    case 'status':
      return typeof value === 'string' ? askStatuses([value]) : anything;
    case 'error':
      if (value === null) return ({ hasError, lacksError }) => ({ holds: lacksError, fails: hasError });
      // An error is null or a text.
      if (value === undefined) return never;
      return typeof value === 'string' ? askErrorWith(value) : anything;
    case 'flaky':
      return typeof value === 'boolean'
        ? (outline) => {
            const { holds, fails } = askFlaky(outline);
            return value ? { holds, fails } : { holds: fails, fails: holds };
          }
        : anything;
    case 'duration':
      if (value === null) return ({ durationMs, lacksDuration }) => ({ holds: lacksDuration, fails: !!durationMs });
      return typeof value === 'number'
        ? ({ durationMs }) => ({ holds: !!durationMs && isWithin(value, durationMs), fails: true })
        : anything;
    case 'retries':
      return typeof value === 'number' ? ({ retries }) => ({ holds: isWithin(value, retries), fails: true }) : anything;
    default:
      return anything;
  }
};

const isWithin = (value: number, { min, max }: Range): boolean => value >= min && value <= max;

const askStatuses =
  (wanted: readonly string[]): Ask =>
  (outline) => {
    const there = wanted.filter((status) => outline.hasStatus(status));
    return { holds: there.length > 0, fails: there.length < outline.statuses };
  };

const askAmong = (needle: Node, haystack: Node, row: string): Ask => {
  if (fieldOf(needle, row) !== 'status') return anything;
  const values = constantsOf(haystack);
  const texts = values?.filter((value) => typeof value === 'string');
  return texts && texts.length === values?.length ? askStatuses([...new Set(texts)]) : anything;
};

const constantsOf = (node: Node): readonly unknown[] | null => {
  if (node.kind === 'Constant') return Array.isArray(node.value) ? node.value : null;
  if (node.kind !== 'ArrayLit') return null;
  const values: unknown[] = [];
  for (const element of node.elements) {
    if (!('kind' in element) || element.kind !== 'Constant') return null;
    values.push(element.value);
  }
  return values;
};

const askErrorWith = (text: string): Ask => {
  const places = placesWithin(text);
  return (outline) => ({ holds: outline.hasError && outline.hasPlaces(places), fails: true });
};

const PARTS_OF_TEXTS = new Set(['includes', 'startsWith', 'endsWith']);

/** Texts within errors, in the case they have or in lower case, and tags. */
const askCall = (call: Extract<Node, { readonly kind: 'Call' }>, row: string): Ask => {
  const { callee, args } = call;
  const [text] = args;
  if (callee.kind !== 'Member' || args.length !== 1 || text?.kind !== 'Constant') return anything;
  if (typeof text.value !== 'string' || !PARTS_OF_TEXTS.has(callee.prop)) return anything;
  if (callee.prop === 'includes' && fieldOf(callee.object, row) === 'tag') {
    const place = placeOfTag(text.value);
    return (outline) => ({ holds: outline.hasTag(place), fails: true });
  }
  return fieldOf(withoutLowerCase(callee.object), row) === 'error' ? askErrorWith(text.value) : anything;
};

/** What is asked for in lower case, or the node itself. */
const withoutLowerCase = (node: Node): Node =>
  node.kind === 'Call' && node.args.length === 0 && node.callee.kind === 'Member' && node.callee.prop === 'toLowerCase'
    ? node.callee.object
    : node;
