import { copyOf } from './texts.ts';

/** A line of TAP without its indentation. */
export type TapLine =
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'plan'; readonly count: number; readonly skipAll: string | null }
  | { readonly kind: 'test'; readonly test: TapPoint }
  | { readonly kind: 'subtest'; readonly name: string }
  | { readonly kind: 'bail-out'; readonly reason: string }
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'close' }
  | { readonly kind: 'other' };

export interface TapPoint {
  readonly ok: boolean;
  readonly number: number | null;
  readonly description: string;
  readonly directive: 'skip' | 'todo' | null;
  readonly reason: string;
  readonly durationMs: number | null;
  /** Its subtests follow in braces. */
  readonly opens: boolean;
}

export const readTapLine = (line: string): TapLine => {
  const version = /^TAP version (\d{1,3})\s*$/i.exec(line)?.[1];
  if (version !== undefined) return { kind: 'version', version: Number(version) };
  const plan = /^1\.\.(\d{1,9})(?:\s*#\s*(.*))?\s*$/.exec(line);
  if (plan) {
    const skipAll = plan[1] === '0' ? (plan[2]?.replace(/^skip\S*\s*/i, '') ?? '') : null;
    return { kind: 'plan', count: Number(plan[1]), skipAll };
  }
  if (/^(?:not )?ok\b/.test(line)) return { kind: 'test', test: readPoint(line) };
  const bailOut = /^Bail out!\s*(.*)$/i.exec(line)?.[1];
  if (bailOut !== undefined) return { kind: 'bail-out', reason: bailOut.trim() };
  if (line.startsWith('#')) {
    const subtest = /^#\s*Subtest:\s*(.*)$/.exec(line)?.[1];
    return subtest === undefined
      ? { kind: 'comment', text: line.slice(1).trim() }
      : { kind: 'subtest', name: unescape(subtest) };
  }
  return line === '}' ? { kind: 'close' } : { kind: 'other' };
};

const readPoint = (line: string): TapPoint => {
  const opens = /\s\{\s*$/.test(line);
  const text = opens ? line.replace(/\s*\{\s*$/, '') : line;
  const [, not, number, rest = ''] = /^(not )?ok\b\s*(\d{1,9}(?=\s|$))?\s*(.*)$/.exec(text) ?? [];
  const [description, directive] = splitDirective(rest.replace(/^-\s*/, ''));
  const kind = /^(skip|todo)\S*\s*(.*)$/i.exec(directive);
  const time = /time=(\d+(?:\.\d+)?)\s*(ms|s)?/.exec(directive);
  return {
    ok: not === undefined,
    number: number === undefined ? null : Number(number),
    description: copyOf(unescape(description)),
    directive: kind ? (kind[1]!.toLowerCase() as 'skip' | 'todo') : null,
    reason: copyOf(kind?.[2] ?? ''),
    durationMs: time ? Number(time[1]) * (time[2] === 's' ? 1000 : 1) : null,
    opens,
  };
};

/** At the first hash that is not escaped and follows a blank. */
const splitDirective = (text: string): [string, string] => {
  const at = /(?:^|\s)#\s*(?=skip|todo|time=)/i.exec(text);
  return at ? [text.slice(0, at.index).trim(), text.slice(at.index + at[0].length).trim()] : [text.trim(), ''];
};

const unescape = (text: string): string => text.replace(/\\([\\#])/g, '$1').trim();
