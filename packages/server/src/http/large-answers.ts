import { AppError } from '../errors.ts';
import { boundYoungSpace, collectWhenQuiet, releaseYoungSpace } from '../garbage.ts';

/*
 * A large answer keeps decoded results and a connection for as long as its reader takes. Few are written at once, others
 * wait in a short queue, and a reader that does not read loses its place.
 */

/** Results from which on an answer counts as large before it is written. */
export const LARGE_FROM_ROWS = 20_000;

const AT_ONCE = 4;
const MOST_WAITING = 32;
const LONGEST_WAIT_MS = 30_000;
const CHECK_MS = 500;
/** How long a reader may take for one piece when nobody waits for its place. */
const LONGEST_IDLE_MS = 30_000;
/** The same, and for all pieces together, when somebody does. */
const LONGEST_IDLE_OTHERS_WAIT_MS = 2_000;
const LONGEST_READING_OTHERS_WAIT_MS = 20_000;

/** The place of one answer among those that are written. */
export interface Place {
  /** A piece is on its way: from now on we wait for the reader. */
  sent(): void;
  /** The reader took it: from now on it waits for us. */
  took(): void;
  release(): void;
}

export interface LargeAnswers {
  /** Waits for a place; `giveUp` is called when the reader does not read. Throws when too many wait, or it takes too long. */
  enter(giveUp: () => void, signal: AbortSignal): Promise<Place>;
}

export const createLargeAnswers = (): LargeAnswers => {
  const waiting: (() => void)[] = [];
  let places = 0;

  const occupy = (giveUp: () => void): Place => {
    let sentAt: number | null = null;
    let readingMs = 0;
    const idleMs = (): number => (sentAt === null ? 0 : performance.now() - sentAt);
    const isTooSlow = (): boolean =>
      waiting.length === 0
        ? idleMs() > LONGEST_IDLE_MS
        : idleMs() > LONGEST_IDLE_OTHERS_WAIT_MS || readingMs + idleMs() > LONGEST_READING_OTHERS_WAIT_MS;
    const timer = setInterval(() => isTooSlow() && giveUp(), CHECK_MS).unref();
    let isReleased = false;
    return {
      sent: () => {
        sentAt = performance.now();
      },
      took: () => {
        readingMs += idleMs();
        sentAt = null;
        boundYoungSpace();
      },
      release() {
        if (isReleased) return;
        isReleased = true;
        clearInterval(timer);
        const next = waiting.shift();
        if (next) next();
        else if (--places === 0) {
          releaseYoungSpace();
          collectWhenQuiet();
        }
      },
    };
  };

  const waitInQueue = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const goOn = (): void => {
        end();
        resolve();
      };
      const leave = (reason: Error): void => {
        end();
        waiting.splice(waiting.indexOf(goOn), 1);
        reject(reason);
      };
      const abort = (): void => leave(signal.reason as Error);
      const timer = setTimeout(() => leave(tooMany()), LONGEST_WAIT_MS).unref();
      signal.addEventListener('abort', abort);
      waiting.push(goOn);
    });

  return {
    async enter(giveUp, signal) {
      if (places < AT_ONCE) places++;
      else if (waiting.length < MOST_WAITING) await waitInQueue(signal);
      else throw tooMany();
      return occupy(giveUp);
    },
  };
};

const tooMany = (): AppError => new AppError('unavailable', 'Too many large answers are being read; try again shortly');
