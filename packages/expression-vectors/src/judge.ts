import { isDeepStrictEqual } from 'node:util';
import { canonical, parseEnvelope } from '@assay/expression';
import type { Answer, Question } from './protocol.ts';

export interface JudgeOptions {
  /** Takes any code and place of a refusal for right, as long as it is one. */
  readonly anyCode: boolean;
}

interface Found {
  readonly code?: unknown;
  readonly path?: unknown;
  readonly span?: unknown;
}

/** Undefined if the answer is right, else what was expected and what was given. */
export function judge(question: Question, answer: Answer, options: JudgeOptions): string | undefined {
  const { id: _, ...given } = answer;
  const expected = expectedOf(question);
  const same = isDeepStrictEqual(normal(given, question, options), normal(expected, question, options));
  return same ? undefined : `expected ${JSON.stringify(expected)}\n     given ${JSON.stringify(given)}`;
}

/** Vectors list codes beside places; answers have them together. */
function expectedOf({ request, expected }: Question): Record<string, unknown> {
  const { codes, paths, spans, ...rest } = expected as Record<string, readonly unknown[]>;
  if (codes === undefined) return { ...expected };
  const issues = codes.map((code, i) =>
    request.operation === 'read' ? { code, path: paths![i] } : { code, span: spans![i] },
  );
  return { ...rest, issues };
}

function normal(given: Record<string, unknown>, { request, expected }: Question, { anyCode }: JudgeOptions): unknown {
  const { operation } = request;
  if (operation === 'parse' && 'root' in given) return { canonical: canonicalOf(given['root']) };
  if (operation === 'evaluate' && 'value' in given) return { value: valueOf(given['value']) };
  if (operation === 'select') return { matches: given['matches'], pushed: given['pushed'] ?? expected['pushed'] };
  if (operation === 'evaluate' && 'error' in given) return anyCode ? 'refused' : pick(given, 'error', 'path');
  if (!Array.isArray(given['issues'])) return given;
  if (anyCode && given['issues'].length > 0) return 'refused';
  const issues = (given['issues'] as Found[]).map(({ code, path, span }) => JSON.stringify([code, path ?? span]));
  // Only a newer version must be told first.
  return { issues: issues.toSorted(), newer: issues[0]?.includes('envelope.version.newer') };
}

const pick = (from: Record<string, unknown>, ...names: string[]): unknown =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

function valueOf(value: unknown): unknown {
  const read = parseEnvelope({ v: 1, root: { kind: 'Constant', value } });
  return read.ok && read.tree.kind === 'Constant' ? read.tree.value : { unreadable: value };
}

function canonicalOf(root: unknown): unknown {
  const read = parseEnvelope({ v: 1, root });
  return read.ok ? canonical(read.tree) : { unreadable: root };
}
