import type { Field } from '../catalogue/catalogue.ts';
import { typeOf } from '../evaluate/value.ts';
import type { Value } from '../tree/node.ts';

/** What a value can be; `unknown` where it cannot be told. */
const TYPE_NAMES = [
  'undefined',
  'null',
  'boolean',
  'number',
  'bigint',
  'string',
  'date',
  'regexp',
  'array',
  'object',
  'function',
  'unknown',
] as const;
export type TypeName = (typeof TYPE_NAMES)[number];

/** Types are bits, in the order of their names: one number says all that a value can be. */
export const UNDEFINED = 1;
export const NULL = 2;
export const BOOLEAN = 4;
export const NUMBER = 8;
export const BIGINT = 16;
export const STRING = 32;
export const DATE = 64;
export const REGEXP = 128;
export const ARRAY = 256;
export const OBJECT = 512;
export const FUNCTION = 1024;
export const UNKNOWN = 2048;
export const NULLISH = UNDEFINED | NULL;

/** What is known of a part of a tree before it is evaluated. */
export interface Inferred {
  readonly types: number;
  /** The values that it can have besides null, if they are few: a constant or an enum. */
  readonly values?: readonly Value[] | undefined;
  /** What its elements are, if it is an array; what it gives, if it is a lambda. */
  readonly element?: Inferred | undefined;
  /** The fields that it has, if it is an object whose fields are known. */
  readonly fields?: Field['fields'];
  /** The field that it is. */
  readonly field?: string | undefined;
  /** Whether the chain that it is a link of may have ended before, with undefined. */
  readonly ended?: boolean | undefined;
}

export const ANYTHING: Inferred = { types: UNKNOWN };

const typeNamed = (name: string): number => 1 << TYPE_NAMES.indexOf(name as TypeName);

export const ofConstant = (value: Value): Inferred => {
  const types = typeNamed(typeOf(value));
  return {
    types,
    values: types & (DATE | REGEXP | OBJECT) ? undefined : [value],
    element: types & ARRAY ? union((value as readonly Value[]).map(ofConstant)) : undefined,
  };
};

/** The types of fields that have other names than the types of values. */
const FIELD_TYPES: Readonly<Record<string, number>> = { enum: STRING, duration: NUMBER, strings: ARRAY, list: ARRAY };

export const ofField = (
  name: string,
  { type, nullable, values, fields, items }: Omit<Field, 'type'> & { type: string } = { type: 'unknown' },
): Inferred => ({
  types: (FIELD_TYPES[type] ?? typeNamed(type)) | (nullable ? NULL : 0),
  values,
  element: type === 'strings' ? { types: STRING } : items && ofPart(items),
  fields,
  field: name,
});

/** A field of an object, or an item of a list. What is tested of it is not followed, so one that may be null may be anything. */
export const ofPart = (field: Field): Inferred =>
  field.nullable ? ANYTHING : { ...ofField('', field), field: undefined };

export const union = (all: readonly Inferred[]): Inferred => {
  if (all.length === 1) return all[0]!;
  const values = all.every((one) => one.values) ? all.flatMap((one) => one.values!) : undefined;
  const elements = all.flatMap((one) => one.element ?? []);
  return {
    types: all.reduce((types, one) => types | one.types, 0),
    values: values && values.length <= 100 ? values : undefined,
    element: elements.length > 0 ? union(elements) : undefined,
  };
};

export const perhaps = (one: Inferred): Inferred => union([one, { types: UNDEFINED }]);

export const without = (one: Inferred, gone: number): Inferred => ({ ...one, types: one.types & ~gone });

export const mayBe = (one: Inferred, types: number): boolean => (one.types & (types | UNKNOWN)) !== 0;

export const isOnly = (one: Inferred, types: number): boolean => one.types !== 0 && (one.types & ~types) === 0;

/** Whether all values are known and alike. */
export const isAlways = ({ values = [] }: Inferred, alike: (value: Value) => boolean): boolean =>
  values.length > 0 && values.every(alike);

export const nameTypes = (one: Inferred): string => listTypes(one).join(' or ');

export const listTypes = ({ types }: Inferred): TypeName[] => TYPE_NAMES.filter((_, at) => types & (1 << at));
