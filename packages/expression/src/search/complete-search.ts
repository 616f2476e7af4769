import type { Catalogue, Field } from '../catalogue/catalogue.ts';
import {
  type Completion,
  type CompletionItem,
  cursorIn,
  describeField,
  fieldItems,
  matching,
} from '../complete/item.ts';
import { matchAt } from '../text/source.ts';
import { findField } from './fields.ts';

const KEYWORDS: readonly CompletionItem[] = [
  { label: 'OR', insert: 'OR ', kind: 'keyword', docs: 'Either the term before or the one behind.' },
  { label: 'AND', insert: 'AND ', kind: 'keyword', docs: 'Both terms; a space alone says the same.' },
  {
    label: 'NOT',
    insert: 'NOT ',
    kind: 'keyword',
    docs: 'What does not match the term behind; a - before it says the same.',
  },
];

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$.-]*$/u;

/** Fields under the name, or else the alias, that a term can start with. */
function searchable(
  catalogue: Catalogue,
  insert: (name: string) => string,
  only: (field: Field) => boolean,
): CompletionItem[] {
  return fieldItems(catalogue, (name) => name, only).flatMap((item) => {
    const name = [item.label, ...(catalogue.fields[item.label]?.aliases ?? [])].find((one) => NAME.test(one));
    return name === undefined ? [] : { ...item, label: name, insert: insert(name) };
  });
}

const HAS: CompletionItem = { label: 'has:', insert: 'has:', kind: 'keyword', docs: 'Rows where a field has a value.' };

const TERM = /"(?:[^"\\]|\\.)*"?|[^\s()"]+/y;

/** The run of characters without space that the cursor is in or behind, phrases in quotes being one with what touches them. */
function termAt(text: string, cursor: number): { readonly start: number; readonly end: number } {
  let pos = 0;
  let start = 0;
  while (pos < text.length) {
    const found = matchAt(TERM, text, pos);
    if (found === null) {
      if (pos >= cursor) break;
      start = ++pos;
      continue;
    }
    if (pos >= cursor && start !== pos) break;
    pos += found[0].length;
    const whole = pos >= cursor && (pos >= text.length || /[\s()]/.test(text[pos]!));
    if (whole) return { start, end: pos };
  }
  return { start: Math.min(start, cursor), end: cursor };
}

/** `complete` for a search. */
export function completeSearch(text: string, given: number, catalogue: Catalogue): Completion {
  const cursor = cursorIn(text, given);
  const term = termAt(text, cursor);
  const sign = text[term.start] === '-' && cursor > term.start ? 1 : 0;
  const start = term.start + sign;
  const before = text.slice(start, cursor);
  const colon = before.startsWith('"') ? -1 : before.indexOf(':');
  if (colon < 0) return completeWord(text, start, cursor, term.end, catalogue, sign === 1);
  const name = before.slice(0, colon);
  const field = findField(catalogue, name)?.field;
  const value = before.slice(colon + 1);
  const op = /^(?:===?|=|!=|>=?|<=?)/.exec(value)?.[0] ?? '';
  const cut = Math.max(op.length, value.lastIndexOf(',') + 1);
  const from = start + colon + 1 + cut;
  const begun = value.slice(cut);
  const comma = text.slice(cursor, term.end).indexOf(',');
  const span = { start: from, end: comma < 0 ? term.end : cursor + comma };
  if (field === undefined) {
    const items =
      name === 'has'
        ? searchable(
            catalogue,
            (one) => one,
            ({ type, nullable }) => nullable === true || type === 'strings',
          )
        : [];
    return { span, items: matching(items, begun) };
  }
  const values = valuesOf(field);
  const items = op === '' && begun === '' && cut === 0 ? [...values, ...operatorsOf(field)] : values;
  return { span, items: matching(items, begun.replace(/^"/, '')) };
}

function completeWord(
  text: string,
  start: number,
  cursor: number,
  end: number,
  catalogue: Catalogue,
  negated: boolean,
): Completion {
  const colon = text.slice(cursor, end).indexOf(':');
  const span = { start, end: colon < 0 ? end : cursor + colon + 1 };
  const begun = text.slice(start, cursor);
  if (begun.startsWith('"')) return { span, items: [] };
  const flags = searchable(
    catalogue,
    (name) => `${name} `,
    ({ type }) => type === 'boolean',
  );
  const fields = searchable(
    catalogue,
    (name) => `${name}:`,
    ({ type }) => type !== 'boolean',
  );
  const words = start === 0 || negated ? [] : KEYWORDS;
  return { span, items: matching([...fields, ...flags, HAS, ...words], begun) };
}

const quoteIfNeeded = (value: string): string => (/[\s()",]/.test(value) ? JSON.stringify(value) : value);

function valuesOf(field: Field): CompletionItem[] {
  const value = (label: string, docs: string): CompletionItem => ({
    label,
    insert: quoteIfNeeded(label),
    kind: 'value',
    docs,
  });
  switch (field.type) {
    case 'enum':
      return (field.values ?? []).map((one) => value(one, describeField(field)));
    case 'boolean':
      return [value('true', describeField(field)), value('false', describeField(field))];
    case 'duration':
      return ['100ms', '1s', '2.5s', '1m', '1m30s'].map((one) => value(one, 'A duration: ms, s, m, h, d or w.'));
    case 'date':
      return [value('-1d', 'One day ago.'), value('-7d', 'Seven days ago.'), value('now', 'The present time.')];
    case 'string':
    case 'number':
    case 'strings':
    case 'list':
    case 'object':
      return [];
  }
}

function operatorsOf({ type }: Field): CompletionItem[] {
  const operator = (label: string, docs: string): CompletionItem => ({ label, insert: label, kind: 'operator', docs });
  const equal = [operator('!=', 'Other than the value.')];
  if (type === 'string') return [operator('=', 'Exactly this text.'), ...equal];
  if (type !== 'number' && type !== 'duration' && type !== 'date') return equal;
  return [
    operator('>', 'More than the value.'),
    operator('>=', 'The value or more.'),
    operator('<', 'Less than the value.'),
    operator('<=', 'The value or less.'),
    ...equal,
  ];
}
