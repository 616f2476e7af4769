import type { Catalogue } from '../catalogue/catalogue.ts';
import { ROW, infer } from '../check/infer.ts';
import { ANYTHING, type Inferred, NULLISH, without } from '../check/types.ts';
import { parseText } from '../text/parse-text.ts';
import { endsValue, type Token } from './tokens.ts';

/** A text up to the cursor, and what is known there. */
export interface Draft {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly catalogue: Catalogue;
  /** What the names are that may stand for a value: the row, and parameters of lambdas before the cursor. */
  readonly names: ReadonlyMap<string, Inferred>;
}

export function openDraft(text: string, tokens: readonly Token[], catalogue: Catalogue): Draft {
  const names = new Map<string, Inferred>();
  const draft = { text, tokens, catalogue, names };
  const [first, second, third, fourth] = tokens;
  const root =
    second?.token === '=>'
      ? first
      : first?.token === '(' && third?.token === ')' && fourth?.token === '=>'
        ? second
        : undefined;
  names.set(root?.token === 'name' ? root.value : (catalogue.row ?? 't'), ROW);
  for (const [i, { token }] of tokens.entries()) {
    const param = tokens[i - 1];
    if (token !== '=>' || param?.token !== 'name' || names.has(param.value)) continue;
    const isCalled = tokens[i - 2]?.token === '(' && tokens[i - 3]?.token === 'name';
    names.set(param.value, (isCalled && inferChain(draft, i - 5).element) || ANYTHING);
  }
  return draft;
}

/** Whoever writes by hand writes less; so the work for a text is bounded. */
const LONGEST_CHAIN = 1000;

/** What the chain of members and calls is that ends at a token, unless it is null. */
export function inferChain({ text, tokens, catalogue, names: bindings }: Draft, end: number): Inferred {
  const start = tokens[chainStart(tokens, end)]?.start ?? 0;
  const chain = text.slice(start, tokens[end]?.end ?? 0);
  const parsed = chain.length > LONGEST_CHAIN ? undefined : parseText(chain);
  if (!parsed?.ok) return ANYTHING;
  const spot = { node: parsed.tree, path: '', issues: [], depth: 0, catalogue, bindings, present: [] };
  const found = infer(spot);
  return found.types & NULLISH ? without(found, NULLISH) : found;
}

const isOpener = ({ token }: Token): boolean => /^(?:[([{]|\$\{)$/.test(token);
const isCloser = ({ token }: Token): boolean => /^[)\]}]$/.test(token);

/** Where the chain of members and calls begins that ends at a token. */
export function chainStart(tokens: readonly Token[], end: number): number {
  let at = end;
  while (at >= 0) {
    const token = tokens[at]!;
    if (isCloser(token)) {
      at = opening(tokens, at);
      const before = tokens[at - 1];
      if (before?.token === '?.') at -= 2;
      else if (endsValue(before)) at--;
      else return at;
      continue;
    }
    const link = tokens[at - 1]?.token;
    if (token.token !== 'name' || (link !== '.' && link !== '?.')) return at;
    at -= 2;
  }
  return 0;
}

function opening(tokens: readonly Token[], from: number): number {
  let open = 0;
  for (let i = from; i >= 0; i--) {
    if (isCloser(tokens[i]!)) open++;
    else if (isOpener(tokens[i]!) && --open === 0) return i;
  }
  return 0;
}

/** Whether what a token opens is open at the end. */
export function isOpen(tokens: readonly Token[], from: number): boolean {
  let open = 0;
  for (const token of tokens.slice(from)) {
    if (isOpener(token)) open++;
    else if (isCloser(token) && --open === 0) return false;
  }
  return true;
}
