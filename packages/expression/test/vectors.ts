import { readFileSync } from 'node:fs';
import type { Limits } from '../src/index.ts';

export interface Vector {
  readonly name: string;
  readonly level: 'shape' | 'meaning';
  readonly input?: unknown;
  readonly text?: string;
  readonly mode?: 'strict' | 'lenient';
  readonly limits?: Partial<Limits>;
  readonly expect:
    | { readonly ok: true; readonly canonical: string }
    | { readonly ok: false; readonly codes: readonly string[]; readonly paths: readonly string[] };
}

export function readVectors(file: string): readonly Vector[] {
  return JSON.parse(
    readFileSync(new URL(`../../expression-vectors/vectors/${file}.json`, import.meta.url), 'utf8'),
  ) as Vector[];
}
