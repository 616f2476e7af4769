/*
 * One thread answers everybody, so long work on it is cut into pieces, and between two of them the event loop turns: what
 * came meanwhile is answered. Awaiting a promise that is resolved already does not turn it.
 */

/** Lets the event loop turn. The writing thread gives none: its transactions must not be interleaved. */
export type Turn = () => Promise<void>;

/** Results that are scanned, decoded or looked up in one piece: a few milliseconds. */
export const ROWS_PER_PIECE = 20_000;

export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

/** Works through some rows, a piece at a time where there is a turn between. */
export const inPieces = async (rows: number, turn: Turn | undefined, work: (span: RowSpan) => void): Promise<void> => {
  const size = turn ? ROWS_PER_PIECE : Math.max(1, rows);
  for (let from = 0; from < rows; from += size) {
    if (turn && from > 0) await turn();
    work({ from, to: Math.min(from + size, rows) });
  }
};

const LONGEST_PIECE_MS = 5;

/** Works through steps of which each is short. */
export const inTurns = async <T>(steps: Generator<undefined, T>): Promise<T> => {
  let since = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - since < LONGEST_PIECE_MS) continue;
    await nextTurn();
    since = performance.now();
  }
};

const waiting: (() => void)[] = [];

const wakeOne = (): void => {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(wakeOne);
};

/** One that waits goes on with each turn: all of them would hold everyone else up for the sum of their pieces. */
export const nextTurn: Turn = () =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(wakeOne);
  });
