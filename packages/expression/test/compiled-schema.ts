import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** A published schema as ajv compiles it. */
export function compileSchema(name: 'v1' | 'v1.strict'): (value: unknown) => boolean {
  const schema = JSON.parse(readFileSync(new URL(`../schema/${name}.json`, import.meta.url), 'utf8')) as object;
  return new Ajv2020({ discriminator: true }).compile(schema);
}
