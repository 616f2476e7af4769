import type { Node } from '../tree/node.ts';
import { type Inferred, type TypeName, UNKNOWN, ofTypes, without } from './types.ts';

const NAMES = {
  boolean: 'includes startsWith endsWith some every test isWellFormed',
  string:
    'toLowerCase toUpperCase trim trimStart trimEnd join toString padStart padEnd repeat toFixed toISOString charAt ' +
    'replace replaceAll',
  number: 'indexOf lastIndexOf findIndex getTime charCodeAt localeCompare',
} as const;

const RESULTS: ReadonlyMap<string, Inferred> = new Map([
  ...Object.entries(NAMES).flatMap(([type, names]) =>
    names.split(' ').map((name) => [name, ofTypes(type as TypeName)] as const),
  ),
  ['split', { types: new Set<TypeName>(['array']), element: ofTypes('string') }],
]);

/** What a method gives, as far as its name tells. */
export const methodResult = (base: Inferred, name: string): Inferred => {
  if (name === 'filter' || name === 'slice') return without(base);
  if (name.startsWith('getUTC')) return ofTypes('number');
  return RESULTS.get(name) ?? UNKNOWN;
};

/** What a global function gives. */
export const globalResult = (callee: Node): Inferred => {
  const name =
    callee.kind === 'Capture'
      ? callee.name
      : callee.kind === 'Member' && callee.object.kind === 'Capture'
        ? callee.object.name
        : '';
  if (name === 'String') return ofTypes('string');
  if (name === 'Number' || name === 'Math') return ofTypes('number');
  return name === 'Boolean' ? ofTypes('boolean') : UNKNOWN;
};
