import type { Catalogue } from '../catalogue/catalogue.ts';
import { ROW } from '../check/infer.ts';
import { nameTypes } from '../check/types.ts';
import { isIdentifier } from '../text/names.ts';
import { quote } from '../text/strings.ts';
import { lookUp } from '../tree/look-up.ts';
import { GLOBALS } from '../tree/node.ts';
import { chainStart, type Draft, inferChain, isOpen, openDraft } from './chain.ts';
import {
  type Completion,
  type CompletionItem,
  cursorIn,
  describeField,
  fieldItems,
  makeItem,
  matching,
} from './item.ts';
import { GLOBAL_METHODS, METHODS_OFFERED } from './methods.ts';
import { operatorItems } from './operators.ts';
import { endsValue, type Token, tokensBefore } from './tokens.ts';

/**
 * What may come next at the cursor, best first, and what of the text it would replace. The text may be broken; a cursor
 * that is no number is taken for its end.
 */
export function complete(text: string, given: number, catalogue: Catalogue): Completion {
  const cursor = cursorIn(text, given);
  const { tokens, inText } = tokensBefore(text, cursor);
  const last = tokens.at(-1);
  const isString = last?.token === 'string' && isInside(text, last, cursor);
  const begun = isString || (last?.token === 'name' && last.end >= cursor) ? last : undefined;
  const span = begun ? { start: begun.start, end: begun.end } : { start: cursor, end: cursor };
  if (inText || (last?.token === 'number' && last.end >= cursor)) return { span, items: [] };
  const draft = openDraft(text, begun ? tokens.slice(0, -1) : tokens, catalogue);
  const items = isString ? comparedItems(draft) : itemsAfter(draft);
  return { span, items: matching(items, text.slice(span.start + (isString ? 1 : 0), cursor)) };
}

function isInside(text: string, { start, end }: Token, cursor: number): boolean {
  const closed = end - start > 1 && text[end - 1] === text[start];
  return cursor < end || (cursor === end && !closed);
}

function itemsAfter(draft: Draft): CompletionItem[] {
  const { tokens } = draft;
  const last = tokens.at(-1);
  if (last?.token === '.' || last?.token === '?.') return memberItems(draft);
  if (endsValue(last)) return operatorItems(inferChain(draft, tokens.length - 1));
  return [...comparedItems(draft), ...valueItems(draft)];
}

const asMember = (name: string): string => (isIdentifier(name) ? name : quote(name));

function memberItems(draft: Draft): CompletionItem[] {
  const end = draft.tokens.length - 2;
  const owner = inferChain(draft, end);
  const fields = owner === ROW ? draft.catalogue.fields : owner.fields;
  if (fields) return fieldItems({ fields }, asMember);
  const isFirst = end >= 0 && chainStart(draft.tokens, end) === end;
  const methods = METHODS_OFFERED[nameTypes(owner)] ?? (isFirst && GLOBAL_METHODS[draft.tokens[end]!.value]);
  return Object.entries(methods || {}).map(([name, { parameters, docs }]) => {
    const begun = parameters === '()' ? parameters : parameters.slice(0, 1);
    return makeItem('method', name, `${name}${parameters}: ${docs}`, name + begun);
  });
}

/** The values that the operand before an operator can have. */
function comparedItems(draft: Draft): CompletionItem[] {
  const { tokens, catalogue } = draft;
  const list = tokens.findLastIndex(({ token }) => token === '[');
  const isListed = list > 0 && tokens[list - 1]!.value === 'of' && isOpen(tokens, list);
  const at = isListed ? list - 1 : tokens.length - 1;
  if (!isListed && tokens[at]?.token !== '===' && tokens[at]?.token !== '!==') return [];
  const { values = [], field = '' } = inferChain(draft, at - 1);
  const known = lookUp(catalogue.fields, field);
  return values
    .filter((value) => typeof value === 'string')
    .map((label) => makeItem('value', label, known ? describeField(known) : '', quote(label)));
}

const KEYWORDS = [
  makeItem('keyword', 'true', 'The boolean true.'),
  makeItem('keyword', 'false', 'The boolean false.'),
  makeItem('keyword', 'null', 'No value.'),
  makeItem('keyword', 'typeof', 'The type of a value as text.', 'typeof '),
  makeItem('keyword', 'new Date', 'A date as a constant, such as new Date("2026-01-31").', 'new Date("'),
  makeItem('keyword', '!', 'Not: whether what follows is falsy.'),
];

function valueItems({ names, catalogue }: Draft): CompletionItem[] {
  const row = [...names].find(([, known]) => known === ROW)![0];
  return [
    ...[...names.keys()].map((name) => makeItem('name', name, name === row ? 'The row.' : 'A parameter.')),
    ...fieldItems(catalogue, (name) => `${row}.${asMember(name)}`),
    ...KEYWORDS,
    ...GLOBALS.map((name) => makeItem('name', name, `The global ${name} of JavaScript.`)),
  ];
}
