import type { Schema } from './open-api.ts';

/** One field of an object schema, in words. */
export interface FieldText {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly note: string;
}

const REFERENCE = '#/components/schemas/';

/** The type of a schema in a few words; a schema that has a name is named by it. */
export const typeText = (schema: unknown): string => {
  const { type, anyOf, allOf, items, $ref, const: literal } = schema as Schema;
  if (typeof $ref === 'string') return $ref.replace(REFERENCE, '');
  if (literal !== undefined) return JSON.stringify(literal);
  if (Array.isArray(anyOf)) return anyOf.map(typeText).join(' | ');
  if (Array.isArray(allOf)) return allOf.map(typeText).join(' & ');
  if (type === 'array') return `array of ${typeText(items)}`;
  return typeof type === 'string' ? type : 'any';
};

export const fieldsOf = (schema: unknown): FieldText[] => {
  const { properties, required, allOf } = schema as Schema;
  if (Array.isArray(allOf)) return allOf.flatMap(fieldsOf);
  const names = new Set(Array.isArray(required) ? (required as string[]) : []);
  return Object.entries((properties ?? {}) as Record<string, Schema>).map(([name, property]) => ({
    name,
    type: typeText(property),
    required: names.has(name),
    note: noteText(property),
  }));
};

export const noteText = (schema: Schema): string => {
  const inner = Array.isArray(schema['anyOf']) ? (schema['anyOf'][0] as Schema) : schema;
  const { description, minimum, maximum, minLength, maxLength, maxItems, default: fallback } = { ...inner, ...schema };
  return [
    description,
    rangeText(minimum, maximum),
    minLength !== undefined || maxLength !== undefined ? `${rangeText(minLength, maxLength)} characters` : undefined,
    maxItems !== undefined ? `at most ${Number(maxItems).toLocaleString('en')} items` : undefined,
    fallback !== undefined ? `default ${JSON.stringify(fallback)}` : undefined,
  ]
    .filter(Boolean)
    .join('; ');
};

const rangeText = (from: unknown, to: unknown): string | undefined => {
  const end = to === Number.MAX_SAFE_INTEGER ? undefined : to;
  if (from === undefined && end === undefined) return undefined;
  const number = (value: unknown): string => Number(value).toLocaleString('en');
  if (end === undefined) return `${number(from)} or more`;
  return from === undefined ? `at most ${number(end)}` : `${number(from)} to ${number(end)}`;
};
