import { type Code, isEnvelope, parseEnvelope } from '../src/index.ts';
import { compileSchema } from './compiled-schema.ts';

export const SCHEMAS = { strict: compileSchema('v1.strict'), lenient: compileSchema('v1') };

/** What the schemas do not say. A text is not theirs to judge, so `json.*` and `limit.textBytes` do not come up. */
const UNSAID: ReadonlySet<string> = new Set<Code>([
  'key.forbidden',
  'constant.encoding',
  'constant.typeMismatch',
  'constant.valueMissing',
  'constant.unsupported',
  'lambda.duplicateParam',
  'template.arity',
  'global.unknown',
  'global.misplaced',
  'limit.nodes',
  'limit.depth',
  'limit.stringLength',
  'limit.items',
  'limit.bigintDigits',
  'limit.regexpLength',
  'limit.lambdaNesting',
]);

export const SHAPE_LIMITS = { nodes: 1e6, depth: 1e4, stringLength: 1e6, items: 1e4, lambdaNesting: 1e3 };

/** True when reading finds nothing that a schema could say too. */
export function readsByShape(value: unknown, mode: 'strict' | 'lenient'): boolean {
  const result = parseEnvelope(value, { mode, limits: SHAPE_LIMITS });
  if (isEnvelope(value, { mode, limits: SHAPE_LIMITS }) !== result.ok)
    throw new Error('isEnvelope differs from parseEnvelope');
  if (result.ok) return true;
  return result.issues.every(({ code, path }) => {
    if (mode === 'lenient' && code === 'span.invalid') return true;
    // The strict schema allows a span from 2 to 1: it cannot compare.
    if (code === 'span.invalid') return isBackwards(value, path);
    return UNSAID.has(code);
  });
}

function isBackwards(value: unknown, path: string): boolean {
  let at = value;
  for (const part of path.split('/').slice(1)) at = (at as Record<string, unknown>)[part];
  const { start, end } = (at ?? {}) as { start?: unknown; end?: unknown };
  return Number.isInteger(start) && Number.isInteger(end) && Number(start) > Number(end) && Number(end) >= 0;
}
