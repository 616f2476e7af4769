import { graphemeBoundary } from '../../format/text.ts';
import type { Printed } from './attempts.ts';

/** A line may be megabytes. */
const MOST_CHARACTERS = 20_000;

/** The beginning of an output, each piece without the break at its end, and how many lines are not in it. */
export const firstLines = (
  pieces: readonly Printed[],
  most: number,
): { readonly shown: readonly Printed[]; readonly hidden: number } => {
  const shown: Printed[] = [];
  let [lines, characters, hidden] = [0, 0, 0];
  for (const { stream, text } of pieces) {
    const own = text.replace(/\n$/, '').split('\n');
    const taken = characters < MOST_CHARACTERS ? own.slice(0, Math.max(0, most - lines)) : [];
    const begin = taken.join('\n');
    const end = graphemeBoundary(begin, Math.max(0, MOST_CHARACTERS - characters));
    if (taken.length > 0) shown.push({ stream, text: begin.slice(0, end) });
    hidden += own.length - taken.length + (end < begin.length ? 1 : 0);
    lines += own.length;
    characters += begin.length;
  }
  return { shown, hidden };
};
