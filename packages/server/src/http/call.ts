import type { Endpoint } from '@assay/contract';
import type { TObject, TSchema } from 'typebox';
import { AppError } from '../errors.ts';
import { createCheck, parseJsonBody, refusal } from '../validation.ts';

type Texts = Record<string, string | string[] | undefined>;

/** Reads path parameters: ids are positive integers, everything else stays a text. */
export const readParams = (endpoint: Endpoint, given: Texts): Record<string, unknown> => {
  const params: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(endpoint.params?.properties ?? {})) {
    const text = String(given[name] ?? given['*']);
    if (typeOf(schema) !== 'integer') params[name] = text;
    else if (/^[1-9]\d*$/.test(text)) params[name] = Math.min(Number(text), Number.MAX_SAFE_INTEGER);
    else {
      const issue = { path: `/${name}`, message: 'must be a positive integer' };
      throw new AppError('invalid_id', `"${text.slice(0, 100)}" is not an id: it must be a positive integer`, [issue]);
    }
  }
  return params;
};

/** A reader of texts, such as a query or headers, by a schema; what the schema does not name is left out. */
export const createTextReader = (
  schema: TObject | undefined,
  code: 'invalid_query' | 'invalid_header',
): ((given: Texts) => Record<string, unknown>) => {
  if (!schema) return () => ({});
  const check = createCheck(schema);
  return (given) => {
    const values: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(schema.properties)) {
      const text = given[name];
      if (text !== undefined) values[name] = typeof text === 'string' ? convert(text, property) : text;
    }
    const checked = check(values);
    if (checked.ok) return checked.value;
    throw refusal(code, checked.issues);
  };
};

export const createBodyReader = (schema: TSchema): ((bytes: Uint8Array) => unknown) => {
  const check = createCheck(schema);
  return (bytes) => {
    const checked = check(parseJsonBody(bytes));
    if (checked.ok) return checked.value;
    throw refusal('invalid_body', checked.issues);
  };
};

const convert = (text: string, schema: TSchema): unknown => {
  const type = typeOf(schema);
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

const typeOf = (schema: TSchema): unknown => (schema as { type?: unknown }).type;
