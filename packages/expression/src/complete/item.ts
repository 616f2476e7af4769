import type { Catalogue, Field } from '../catalogue/catalogue.ts';
import type { Span } from '../tree/node.ts';

export interface CompletionItem {
  readonly label: string;
  /** What to put in place of the span. */
  readonly insert: string;
  readonly kind: 'field' | 'value' | 'operator' | 'method' | 'keyword' | 'name';
  readonly docs: string;
}

export interface Completion {
  /** What an item replaces; empty at the cursor where nothing is begun. */
  readonly span: Span;
  readonly items: readonly CompletionItem[];
}

export const makeItem = (
  kind: CompletionItem['kind'],
  label: string,
  docs: string,
  insert = label,
): CompletionItem => ({ label, insert, kind, docs });

/** Within the text; a cursor that is no number is taken for its end. */
export const cursorIn = (text: string, cursor: number): number =>
  Number.isNaN(cursor) ? text.length : Math.max(0, Math.min(Math.trunc(cursor), text.length));

/** Those that go on with what is begun, in other case too; those that start with it come first. */
export function matching(items: readonly CompletionItem[], begun: string): CompletionItem[] {
  const wanted = begun.toLowerCase();
  const starts = (item: CompletionItem): boolean => item.label.toLowerCase().startsWith(wanted);
  const holds = (item: CompletionItem): boolean => !starts(item) && item.label.toLowerCase().includes(wanted);
  return wanted === '' ? [...items] : [...items.filter(starts), ...items.filter(holds)];
}

export function describeField({ type, values, nullable, description, items }: Field): string {
  const kind = type === 'strings' ? 'list of strings' : type === 'list' ? `list of ${items?.type ?? 'values'}` : type;
  const what = values === undefined ? kind : `${kind}: ${values.join(', ')}`;
  const about = nullable === true ? `${what}; may be missing` : what;
  return description === undefined ? about : `${description} (${about})`;
}

export const fieldItems = (
  catalogue: Catalogue,
  insert: (name: string) => string,
  only: (field: Field) => boolean = () => true,
): CompletionItem[] =>
  Object.entries(catalogue.fields)
    .filter(([, field]) => only(field))
    .map(([name, field]) => makeItem('field', name, describeField(field), insert(name)));
