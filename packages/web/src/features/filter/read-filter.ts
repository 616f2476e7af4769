import {
  type Filterable,
  type FilterLanguage,
  type FilterRow,
  type Find,
  readFilterText,
} from '@assay/contract/filter';
import type { Catalogue, Issue } from '@assay/expression';

export interface Mistake {
  /** What to underline, never empty. */
  readonly start: number;
  readonly end: number;
  readonly code: string;
  readonly message: string;
  /** The nearest name, which would take the place of what is underlined. */
  readonly nearest: string | null;
}

/** A filter as a box shows it. */
export type ReadText =
  | {
      readonly ok: true;
      readonly find: Find;
      /** What is odd about it though it can be asked. */
      readonly remarks: readonly Mistake[];
    }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

export const readText = (text: string, catalogue: Catalogue, language?: FilterLanguage): ReadText => {
  const filter = readFilterText(text, catalogue, { language });
  const mistakes = filter.issues.map((issue) => mistakeOf(issue, text));
  return filter.ok ? { ok: true, find: filter.find, remarks: mistakes } : { ok: false, mistakes };
};

/** With a field of all that plain words search: asking it is several times as fast as asking each. */
export const withWords = (fields: Filterable): Catalogue => ({
  text: ['text'],
  fields: { ...fields.fields, text: { type: 'string', description: 'All that plain words search' } },
});

/** In lower case, as plain words are asked. */
export const addWords = (row: FilterRow, { text }: Filterable): FilterRow => ({
  ...row,
  text: text
    .map((field) => (row[field] as string | null) ?? '')
    .join('\n')
    .toLowerCase(),
});

const mistakeOf = ({ code, span, message, details }: Issue, text: string): Mistake => {
  const nearest = typeof details?.['nearest'] === 'string' ? details['nearest'] : null;
  const { start, end } = span ?? { start: 0, end: text.length };
  const wrong = details?.['name'] ?? details?.['value'];
  const at = typeof wrong === 'string' && wrong !== '' ? text.slice(start, end).lastIndexOf(wrong) : -1;
  const place = at < 0 ? { start, end } : { start: start + at, end: start + at + (wrong as string).length };
  return { ...seen(place, text), code, message, nearest: at < 0 ? null : nearest };
};

/** At least one character wide, so that it can be underlined. */
const seen = ({ start, end }: { start: number; end: number }, text: string): { start: number; end: number } => {
  if (end > start) return { start, end: Math.min(end, text.length) };
  return start > 0 ? { start: start - 1, end: start } : { start: 0, end: Math.min(1, text.length) };
};
