import { type Catalogue, check, compile, DASHBOARD_LIMITS, type Issue, type Node, parseText } from '@assay/expression';
import { surfaceOf } from './surface.ts';

export interface Mistake {
  /** What to underline, never empty. */
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** The nearest name, which would take the place of what is underlined. */
  readonly nearest: string | null;
}

export type FilterRow = Readonly<Record<string, unknown>>;

/** Something in a list, with what a filter may ask of it. */
export interface Asked {
  readonly row: FilterRow;
}

export interface Found<Entry> {
  readonly found: readonly Entry[];
  /** How many could not be asked, and why the first of them could not. */
  readonly failed: { readonly count: number; readonly message: string } | null;
}

export type Find = <Entry extends Asked>(entries: readonly Entry[]) => Found<Entry>;

export type Filter =
  | {
      readonly ok: true;
      readonly find: Find;
      /** What is odd about it though it can be asked. */
      readonly remarks: readonly Mistake[];
    }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

const NAMES_NOTHING = new Set([
  'field.unknown',
  'param.unknown',
  'enum.unknownValue',
  'member.unknown',
  'call.unknownMethod',
]);

/** A filter comes with the address, which anybody may have written: the page stays alive whatever it asks. */
const LIMITS = { ...DASHBOARD_LIMITS, steps: 20_000 };
const MOST_MS = 1_000;
const TOO_COSTLY = 'The filter is too costly for so many: it was stopped after a second. Ask for less.';

/** A text of either surface as a question to a row, or everything that is wrong with it and where. */
export const readFilter = (text: string, catalogue: Catalogue): Filter => {
  if (text.trim() === '') return { ok: true, find: findAll, remarks: [] };
  const surface = surfaceOf(text);
  const parsed = parseText(text, { surface, catalogue, spans: true, limits: LIMITS });
  if (!parsed.ok) return { ok: false, mistakes: parsed.issues.map((issue) => mistakeOf(issue, text)) };
  const { issues } = check(parsed.tree, catalogue);
  const wrong = issues.filter(({ code }) => NAMES_NOTHING.has(code));
  if (wrong.length > 0) return { ok: false, mistakes: wrong.map((issue) => mistakeOf(issue, text)) };
  try {
    const find = finderOf(parsed.tree, catalogue);
    return { ok: true, find, remarks: issues.map((issue) => mistakeOf(issue, text)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, mistakes: [{ start: 0, end: text.length, message, nearest: null }] };
  }
};

export const findAll: Find = (entries) => ({ found: entries, failed: null });

/** Closures, since the page's policy lets no code be made from text. */
const finderOf = (tree: Node, catalogue: Catalogue): Find => {
  const matches = compile(tree, { mode: 'closure', data: 'plain', clock: Date.now, limits: LIMITS });
  const name = (tree.kind === 'Lambda' ? tree.params[0] : undefined) ?? catalogue.row ?? 't';
  return (entries) => {
    const input: Record<string, FilterRow> = {};
    const until = performance.now() + MOST_MS;
    let count = 0;
    let message: string | null = null;
    const found: (typeof entries)[number][] = [];
    for (const [nth, entry] of entries.entries()) {
      if (performance.now() > until) {
        count += entries.length - nth;
        message = TOO_COSTLY;
        break;
      }
      input[name] = entry.row;
      try {
        if (matches(input)) found.push(entry);
      } catch (error) {
        count++;
        message ??= (error as Error).message;
      }
    }
    return { found, failed: message === null ? null : { count, message } };
  };
};

const mistakeOf = ({ span, message, details }: Issue, text: string): Mistake => {
  const nearest = typeof details?.['nearest'] === 'string' ? details['nearest'] : null;
  const { start, end } = span ?? { start: 0, end: text.length };
  const wrong = details?.['name'] ?? details?.['value'];
  const at = typeof wrong === 'string' && wrong !== '' ? text.slice(start, end).lastIndexOf(wrong) : -1;
  const place = at < 0 ? { start, end } : { start: start + at, end: start + at + (wrong as string).length };
  return { ...seen(place, text), message, nearest: at < 0 ? null : nearest };
};

/** At least one character wide, so that it can be underlined. */
const seen = ({ start, end }: { start: number; end: number }, text: string): { start: number; end: number } => {
  if (end > start) return { start, end: Math.min(end, text.length) };
  return start > 0 ? { start: start - 1, end: start } : { start: 0, end: Math.min(1, text.length) };
};
