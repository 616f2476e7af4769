import { AppError } from '../errors.ts';

/*
 * A large answer keeps decoded results and a connection for as long as its reader takes. Few are written at once, others
 * wait in a short queue, and a reader that does not read loses its place.
 */

/** Results from which on an answer counts as large before it is written. */
export const LARGE_FROM_ROWS = 20_000;

const AT_ONCE = 4;
const MOST_WAITING = 32;
const LONGEST_WAIT_MS = 30_000;
/** In each of these a reader takes at least one piece. */
const READING_MS = 5_000;
/** How often it may fail to when nobody waits for its place. */
const MOST_IDLE_PERIODS = 6;

/** The place of one answer among those that are written. */
export interface Place {
  /** To be called for each piece that the reader took. */
  took(): void;
  release(): void;
}

export interface LargeAnswers {
  /** Waits for a place; `giveUp` is called when the reader does not read. Throws when too many wait, or it takes too long. */
  enter(giveUp: () => void, signal: AbortSignal): Promise<Place>;
  /** Written or waiting. */
  readonly size: number;
}

export const createLargeAnswers = (): LargeAnswers => {
  const waiting: (() => void)[] = [];
  let places = 0;

  const occupy = (giveUp: () => void): Place => {
    let idlePeriods = 0;
    let isReading = true;
    const timer = setInterval(() => {
      idlePeriods = isReading ? 0 : idlePeriods + 1;
      isReading = false;
      if (idlePeriods >= (waiting.length > 0 ? 1 : MOST_IDLE_PERIODS)) giveUp();
    }, READING_MS).unref();
    let isReleased = false;
    return {
      took: () => {
        isReading = true;
      },
      release() {
        if (isReleased) return;
        isReleased = true;
        clearInterval(timer);
        const next = waiting.shift();
        if (next) next();
        else places--;
      },
    };
  };

  const waitInQueue = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
      };
      const goOn = (): void => {
        end();
        resolve();
      };
      const leave = (): void => {
        end();
        waiting.splice(waiting.indexOf(goOn), 1);
        reject(tooMany());
      };
      const timer = setTimeout(leave, LONGEST_WAIT_MS).unref();
      signal.addEventListener('abort', leave);
      waiting.push(goOn);
    });

  return {
    get size() {
      return places + waiting.length;
    },
    async enter(giveUp, signal) {
      if (places < AT_ONCE) places++;
      else if (waiting.length < MOST_WAITING) await waitInQueue(signal);
      else throw tooMany();
      return occupy(giveUp);
    },
  };
};

const tooMany = (): AppError => new AppError('unavailable', 'Too many large answers are being read; try again shortly');
