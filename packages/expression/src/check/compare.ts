import type { Catalogue } from '../catalogue/catalogue.ts';
import { nearestName } from '../catalogue/nearest.ts';
import { findField } from '../catalogue/row.ts';
import type { Binary, Value } from '../tree/node.ts';
import { quote, suggestion } from './fields.ts';
import { type Inferred, isOnly, mayBe, nameTypes, without } from './types.ts';

/** What is wrong with a comparison: a code and the rest of an issue. */
export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export const compareIssues = (node: Binary, left: Inferred, right: Inferred, catalogue: Catalogue): Finding[] => {
  if (node.op === '===' || node.op === '!==') return equalityIssues(node.op, left, right, catalogue);
  if (!isRelation(node.op)) return [];
  if (neverOrdered(left, right))
    return [{ code: 'compare.never', message: `${nameTypes(left)} ${node.op} ${nameTypes(right)} never holds` }];
  return isDateBesideText(left, right) || isDateBesideText(right, left)
    ? [{ code: 'operand.type', message: `${node.op} compares a date with a date, not with a text` }]
    : [];
};

const isRelation = (op: string): boolean => op === '<' || op === '<=' || op === '>' || op === '>=';

const equalityIssues = (op: '===' | '!==', left: Inferred, right: Inferred, catalogue: Catalogue): Finding[] => {
  const unlisted = [...unlistedValues(left, right, catalogue), ...unlistedValues(right, left, catalogue)];
  if (unlisted.length > 0) return unlisted;
  if (!neverEqual(left, right)) return [];
  const [code, word] = op === '===' ? ['compare.never', 'never'] : ['compare.always', 'always'];
  return [{ code, message: `${nameTypes(left)} ${op} ${nameTypes(right)} ${word} holds` }];
};

/** A text that is compared with an enum that does not have it. */
export const unlistedValues = (one: Inferred, other: Inferred, catalogue: Catalogue): Finding[] => {
  const field = one.field === undefined ? undefined : findField(catalogue, one.field);
  if (!field?.values || other.field !== undefined) return [];
  const allowed = field.values;
  return (other.values ?? []).flatMap((value) => {
    if (typeof value !== 'string' || allowed.includes(value)) return [];
    const nearest = nearestName(value, allowed);
    const details = { field: one.field, value, allowed, ...(nearest === undefined ? {} : { nearest }) };
    const message = `${quote(one.field!)} is never ${quote(value)}${suggestion(nearest)}`;
    return [{ code: 'enum.unknownValue', message, details }];
  });
};

const neverEqual = (left: Inferred, right: Inferred): boolean => {
  if (left.types.has('unknown') || right.types.has('unknown')) return false;
  if (![...left.types].some((type) => right.types.has(type))) return true;
  if (isNaNOnly(left) || isNaNOnly(right)) return true;
  // Dates are compared by identity, and a field's is never the one that a tree holds.
  const shared = [...left.types].filter((type) => right.types.has(type));
  if (shared.every((type) => type === 'date') && (left.field === undefined) !== (right.field === undefined))
    return true;
  return left.values !== undefined && right.values !== undefined && disjoint(left.values, right.values);
};

const disjoint = (left: readonly Value[], right: readonly Value[]): boolean =>
  left.length > 0 && right.length > 0 && !left.some((value) => right.includes(value));

const neverOrdered = (left: Inferred, right: Inferred): boolean =>
  isNaNOnly(left) ||
  isNaNOnly(right) ||
  isOnly(left, 'undefined') ||
  isOnly(right, 'undefined') ||
  unorderedText(left, right) ||
  unorderedText(right, left);

/** A constant text that is no number beside what is compared as a number. */
const unorderedText = (text: Inferred, other: Inferred): boolean =>
  text.values !== undefined &&
  text.values.length > 0 &&
  text.values.every((value) => typeof value === 'string' && Number.isNaN(Number(value))) &&
  !mayBe(other, 'string', 'array', 'object', 'regexp');

const isDateBesideText = (date: Inferred, text: Inferred): boolean =>
  isOnly(without(date, 'null', 'undefined'), 'date') && isOnly(without(text, 'null', 'undefined'), 'string');

const isNaNOnly = ({ values }: Inferred): boolean =>
  values !== undefined && values.length > 0 && values.every((value) => Number.isNaN(value));
