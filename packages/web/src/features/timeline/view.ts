/** The part of the time that is seen, in milliseconds after the first start. */
export interface View {
  readonly from: number;
  readonly to: number;
}

const SHORTEST_MS = 4;

export const wholeOf = (spanMs: number): View => ({ from: 0, to: Math.max(spanMs, SHORTEST_MS) });

/** By a factor, below 1 to see more of it, around a time that stays where it is. */
export const zoom = ({ from, to }: View, factor: number, around: number, whole: View): View => {
  const wide = Math.min(whole.to, Math.max(SHORTEST_MS, (to - from) / factor));
  const share = (around - from) / (to - from);
  return within({ from: around - share * wide, to: around + (1 - share) * wide }, whole);
};

export const pan = ({ from, to }: View, byMs: number, whole: View): View =>
  within({ from: from + byMs, to: to + byMs }, whole);

/** Moved as little as needed for a time to be seen. */
export const reveal = (view: View, part: View, whole: View): View => {
  if (part.to >= view.from && part.from <= view.to) return view;
  const wide = view.to - view.from;
  return pan(view, part.from - wide / 4 - view.from, whole);
};

const within = ({ from, to }: View, whole: View): View => {
  const wide = Math.min(to - from, whole.to);
  const start = Math.min(Math.max(0, from), whole.to - wide);
  return { from: start, to: start + wide };
};

/** What an address says; null for all of it, also where it says nothing that can be shown. */
export const readView = (from: string, to: string, whole: View): View | null => {
  const view = { from: Number(from), to: Number(to) };
  const isPart = to !== '' && view.from >= 0 && view.to - view.from >= SHORTEST_MS && view.from < whole.to;
  return isPart && view.to - view.from < whole.to ? within(view, whole) : null;
};

/** Rounded outwards, so that reading it again never hides what was seen. */
export const writeView = (view: View | null): { from: string; to: string } =>
  view === null ? { from: '', to: '' } : { from: String(Math.floor(view.from)), to: String(Math.ceil(view.to)) };
