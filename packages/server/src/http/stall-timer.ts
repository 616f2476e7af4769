import type { Readable } from 'node:stream';
import { AppError } from '../errors.ts';

const GRACE_MS = 300_000;
const SLOWEST_BYTES_PER_SECOND = 16 * 1024;

export interface StallTimer {
  /** To be called for all that comes. */
  took(bytes: number): void;
  end(): void;
}

/** Gives up on a body that stops coming, and on one that trickles for ever. */
export const waitFor = (stream: Readable, stallMs: number, giveUp: (error: AppError) => void): StallTimer => {
  const startedAt = performance.now();
  let received = 0;
  const check = (): void => {
    // Paused means that we are the slow one.
    if (stream.isPaused()) timer.refresh();
    else giveUp(new AppError('request_timeout', `No part of the body came for ${stallMs / 1000} seconds`));
  };
  const timer = setTimeout(check, stallMs);
  return {
    took(bytes) {
      received += bytes;
      timer.refresh();
      const allowedMs = GRACE_MS + (received / SLOWEST_BYTES_PER_SECOND) * 1000;
      if (performance.now() - startedAt > allowedMs) {
        giveUp(new AppError('request_timeout', 'The body comes too slowly'));
      }
    },
    end: () => clearTimeout(timer),
  };
};
