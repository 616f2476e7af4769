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

/** What is known of a part of a tree before it is evaluated. */
export interface Inferred {
  readonly types: ReadonlySet<TypeName>;
  /** The values that it can have, if they are few: a constant or an enum. */
  readonly values?: readonly Value[] | undefined;
  /** What its elements are, if it is an array. */
  readonly element?: Inferred | undefined;
  /** The field that it is. */
  readonly field?: string | undefined;
}

export const ofTypes = (...types: TypeName[]): Inferred => ({ types: new Set(types) });
export const UNKNOWN = ofTypes('unknown');

export const ofConstant = (value: Value): Inferred => ({
  types: new Set([typeOf(value)]),
  values: typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : [value],
  element: Array.isArray(value) ? union((value as readonly Value[]).map(ofConstant)) : undefined,
});

const FIELD_TYPE_NAMES = {
  string: 'string',
  enum: 'string',
  number: 'number',
  duration: 'number',
  boolean: 'boolean',
  date: 'date',
  strings: 'array',
} as const;

export const ofField = (name: string, field: Field, present: boolean): Inferred => {
  const nullable = field.nullable && !present;
  return {
    types: new Set([FIELD_TYPE_NAMES[field.type], ...(nullable ? (['null'] as const) : [])]),
    values: field.values && [...field.values, ...(nullable ? [null] : [])],
    element: field.type === 'strings' ? ofTypes('string') : undefined,
    field: name,
  };
};

export const union = (all: readonly Inferred[]): Inferred => {
  const values = all.every((one) => one.values) ? all.flatMap((one) => one.values!) : undefined;
  const elements = all.flatMap((one) => one.element ?? []);
  return {
    types: new Set(all.flatMap((one) => [...one.types])),
    values: values && values.length <= 100 ? values : undefined,
    element: elements.length > 0 ? union(elements) : undefined,
  };
};

export const without = (one: Inferred, ...gone: TypeName[]): Inferred => ({
  ...one,
  types: new Set([...one.types].filter((type) => !gone.includes(type))),
  values: one.values?.filter((value) => !gone.includes(typeOf(value))),
});

export const mayBe = (one: Inferred, ...types: TypeName[]): boolean =>
  one.types.has('unknown') || types.some((type) => one.types.has(type));

export const isOnly = (one: Inferred, ...types: TypeName[]): boolean =>
  one.types.size > 0 && [...one.types].every((type) => types.includes(type));

export const nameTypes = (one: Inferred): string => listTypes(one).join(' or ');

export const listTypes = (one: Inferred): TypeName[] => TYPE_NAMES.filter((name) => one.types.has(name));
