import { limitMessage } from '../tree/bounds.ts';
import type { Issue } from '../tree/issue.ts';
import type { Limits } from '../tree/limits.ts';

/** A text that is being read: the token at hand, what was found wrong so far, and the bounds that hold. */
export interface Source {
  readonly text: string;
  readonly limits: Limits;
  readonly issues: Issue[];
  /** Set by a limit that ends all reading: nothing that follows is an issue of its own. */
  stopped: boolean;
  /** Behind the token at hand. */
  pos: number;
  /** What kind of token is at hand: a punctuator is its own kind. */
  token: string;
  start: number;
  /** End of the token before. */
  last: number;
  /** How strongly the token binds as an infix operator; 0 for all others. */
  strength: number;
  /** The name, or the decoded string. */
  value: string;
  number: number;
}

/** What a sticky pattern finds at a place. */
export function matchAt(pattern: RegExp, text: string, pos: number): RegExpExecArray | null {
  pattern.lastIndex = pos;
  return pattern.exec(text);
}

const MOST_ISSUES = 50;

export function openSource(text: string, limits: Limits): Source {
  return {
    text,
    limits,
    issues: [],
    stopped: false,
    pos: 0,
    token: 'end',
    start: 0,
    last: 0,
    strength: 0,
    value: '',
    number: 0,
  };
}

export function report(
  source: Source,
  code: string,
  start: number,
  end: number,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): void {
  const { issues } = source;
  if (source.stopped) return;
  const ends = code === 'limit.depth' || code === 'limit.nodes';
  if (!ends && (issues.length >= MOST_ISSUES || issues.at(-1)?.span?.start === start)) return;
  const span = { start, end: Math.min(end, source.text.length) };
  issues.push({ code, path: '', span, message, ...(details && { details }) });
}

/** Reports a limit that was crossed; reading goes on. */
export function reportLimit(
  source: Source,
  name: keyof Limits,
  actual: number,
  start: number,
  end: number,
  limit = source.limits[name],
): void {
  report(source, `limit.${name}`, start, end, limitMessage(name, actual, limit), { limit, actual });
}

/** Ends all reading: what follows is the end of the text. */
export function stop(source: Source): void {
  source.stopped = true;
  source.pos = source.text.length;
  source.token = 'end';
  source.strength = 0;
  source.start = source.pos;
}
