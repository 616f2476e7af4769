import { quote } from '../text/strings.ts';
import { type Reporting, report, reportUnknown } from './report.ts';
import {
  ARRAY,
  DATE,
  type Inferred,
  NULLISH,
  OBJECT,
  REGEXP,
  STRING,
  UNDEFINED,
  UNKNOWN,
  isAlways,
  isOnly,
  mayBe,
  nameTypes,
} from './types.ts';

/** Comparisons that never hold, or always, and those of a date with a text. */
export const checkComparison = (at: Reporting, op: string, left: Inferred, right: Inferred): void => {
  const isEquality = op.endsWith('==');
  if (isEquality && eitherWay(left, right, (one, other) => reportUnlisted(at, one, other))) return;
  if (isEquality ? neverEqual(left, right) : eitherWay(left, right, neverOrdered)) {
    const word = op === '!==' ? 'always' : 'never';
    report(at, `compare.${word}`, `${nameTypes(left)} ${op} ${nameTypes(right)} ${word} holds`);
  } else if (!isEquality && eitherWay(left, right, isDateBesideText))
    report(at, 'operand.type', `${op} compares a date with a date, not with a text`);
};

const eitherWay = (left: Inferred, right: Inferred, holds: (one: Inferred, other: Inferred) => boolean): boolean =>
  holds(left, right) || holds(right, left);

/** Texts that are compared with an enum that does not have them: whether there are any. */
export const reportUnlisted = (at: Reporting, { field, values }: Inferred, other?: Inferred): boolean => {
  const allowed = values as readonly string[] | undefined;
  if (field === undefined || !allowed || other?.field !== undefined) return false;
  const unlisted = (other?.values ?? []).filter((value) => typeof value === 'string' && !allowed.includes(value));
  for (const value of unlisted as string[])
    reportUnknown(at, 'enum.unknownValue', `${quote(field)} is never`, value, allowed, { field, value, allowed });
  return unlisted.length > 0;
};

const neverEqual = (left: Inferred, right: Inferred): boolean => {
  if ((left.types | right.types) & UNKNOWN) return false;
  const shared = left.types & right.types;
  return (
    shared === 0 ||
    isAlways(left, Number.isNaN) ||
    isAlways(right, Number.isNaN) ||
    // Dates are compared by identity, and a field's is never the one that a tree holds.
    (shared === DATE && (left.field === undefined) !== (right.field === undefined)) ||
    (!(shared & NULLISH) && isAlways(left, (value) => isAlways(right, (other) => other !== value)))
  );
};

const neverOrdered = (one: Inferred, other: Inferred): boolean =>
  isOnly(one, UNDEFINED) ||
  isAlways(one, Number.isNaN) ||
  // A text that is no number beside what is compared as a number.
  (isOnly(one, STRING) &&
    isAlways(one, (value) => Number.isNaN(Number(value))) &&
    !mayBe(other, STRING | ARRAY | OBJECT | REGEXP));

const isDateBesideText = (date: Inferred, text: Inferred): boolean =>
  (date.types & ~NULLISH) === DATE && (text.types & ~NULLISH) === STRING;
