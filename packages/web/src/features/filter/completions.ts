import { type FilterLanguage, languageOf } from '@assay/contract/filter';
import { type Catalogue, complete, type Completion, type CompletionItem, completeSearch } from '@assay/expression';
import { quoteValue } from './terms.ts';

/** The values of fields as they are loaded, most frequent first; how often is told beside them. */
export type LoadedValues = ReadonlyMap<string, readonly (readonly [value: string, count: number])[]>;

export interface Offer extends Completion {
  /** Whether a value is being written, so that Enter takes the first item. */
  readonly certain: boolean;
}

const MOST_ITEMS = 60;
const BEHIND_FIELD = /(?:^|[\s(-])([\p{ID_Start}$_][\p{ID_Continue}$]*):(?:!=|=)?(?:[^\s"]*,)?$/u;

/** What may stand at the cursor. */
export const offerAt = (
  text: string,
  cursor: number,
  catalogue: Catalogue,
  loaded: LoadedValues,
  language: FilterLanguage = languageOf(text),
): Offer => {
  const { span, items } = (language === 'search' ? completeSearch : complete)(text, cursor, catalogue);
  const begun = text.slice(span.start, cursor);
  const name = language === 'search' ? BEHIND_FIELD.exec(text.slice(0, span.start))?.[1] : undefined;
  const values = name === undefined ? undefined : loaded.get(name.toLowerCase());
  const all = values === undefined ? items : valueItems(values, begun, items);
  const useful = all.filter(({ insert }) => insert.trim() !== text.slice(span.start, span.end));
  return { span, items: useful.slice(0, MOST_ITEMS), certain: name !== undefined && begun !== '' };
};

const valueItems = (
  values: readonly (readonly [string, number])[],
  begun: string,
  others: readonly CompletionItem[],
): CompletionItem[] => {
  const wanted = begun.replace(/^"/, '').toLowerCase();
  const items = values
    .filter(([value]) => value.toLowerCase().includes(wanted))
    .map(([label, count]): CompletionItem => {
      const docs = `In ${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'} here`;
      return { label, insert: quoteValue(label), kind: 'value', docs };
    });
  const listed = new Set(items.map(({ label }) => label));
  return [...items, ...others.filter(({ label }) => !listed.has(label))];
};

/** The text with an item in its place, and where the cursor then is. */
export const takeItem = (
  text: string,
  span: Completion['span'],
  item: CompletionItem,
  language: FilterLanguage = languageOf(text),
): { text: string; cursor: number } => {
  const behind = text.slice(span.end);
  const space = item.kind === 'value' && language === 'search' && !/^[\s),]/.test(behind) ? ' ' : '';
  const before = text.slice(0, span.start) + item.insert + space;
  return { text: before + behind, cursor: before.length };
};

export const countValues = (values: Iterable<string | null>): (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
};
