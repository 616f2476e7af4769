import type { Output } from '../output.ts';

export interface Progress {
  sent(bytes: number): void;
  end(): void;
}

const QUIET_MS = 2_000;
const EVERY_MS = 500;
const MEGABYTE = 1024 * 1024;

/** Says how far an upload is, once it has taken a while. */
export const showProgress = (output: Output, totalBytes: number): Progress => {
  const startedAt = performance.now();
  let saidAt = startedAt + QUIET_MS - EVERY_MS;
  let said = false;
  return {
    sent(bytes) {
      const now = performance.now();
      if (now - saidAt < EVERY_MS) return;
      saidAt = now;
      said = true;
      output.progress(`Assay: sent ${megabytes(Math.min(bytes, totalBytes))} of ${megabytes(totalBytes)} MB`);
    },
    end() {
      if (said) output.progress(null);
    },
  };
};

const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0);
