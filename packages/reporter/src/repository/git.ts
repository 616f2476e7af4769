import { execFile } from 'node:child_process';

const PATIENCE_MS = 5_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** What git prints, or null when it cannot say: it may be missing, or know nothing of the folder. Never rejects. */
export const git = (folder: string, args: readonly string[], input = ''): Promise<string | null> =>
  new Promise((resolve) => {
    const options = { timeout: PATIENCE_MS, maxBuffer: MOST_BYTES, windowsHide: true };
    const child = execFile('git', ['-C', folder, ...args], options, (error, stdout) => resolve(error ? null : stdout));
    // One that ends before it has read all has said what it has to say.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
