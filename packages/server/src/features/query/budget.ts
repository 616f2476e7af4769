import { AppError } from '../../errors.ts';
import { nextTurn } from '../../turns.ts';

/** What evaluating one filter may take in all. */
const MOST_MS = 3_000;
const MS_PER_PIECE = 8;
const ROWS_BETWEEN_CHECKS = 16;

/** Time that the filter of one request may still take. */
export interface Budget {
  /** Asks rows one by one; others get their turn between. */
  each(count: number, ask: (at: number) => void): Promise<void>;
}

export const createBudget = (): Budget => {
  let usedMs = 0;
  const use = (ms: number): void => {
    usedMs += ms;
    if (usedMs <= MOST_MS) return;
    throw tooCostly(
      `The filter is too costly for so many rows: it was stopped after ${MOST_MS / 1_000} seconds. Ask for fewer days or a simpler filter.`,
    );
  };
  return {
    async each(count, ask) {
      let start = performance.now();
      for (let at = 0; at < count; at++) {
        ask(at);
        if (at % ROWS_BETWEEN_CHECKS !== 0) continue;
        const ms = performance.now() - start;
        if (ms < MS_PER_PIECE) continue;
        use(ms);
        await nextTurn();
        start = performance.now();
      }
      use(performance.now() - start);
    },
  };
};

export const tooCostly = (message: string): AppError =>
  new AppError('query_too_costly', message, [{ path: '/filter', message: 'is too costly' }]);
