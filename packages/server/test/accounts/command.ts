import { spawn } from 'node:child_process';
import { serviceMain } from '../robustness/service-process.ts';
import { databaseUrlOf } from '../server.ts';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `assay-server users …` on this data folder, with this text on its standard input. */
export const usersCommand = (dataDir: string, words: readonly string[], input = ''): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const env = {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      SERVICE_DATA_DIR: dataDir,
      SERVICE_DATABASE_URL: databaseUrlOf(dataDir),
    };
    const child = spawn(process.execPath, [serviceMain(), 'users', ...words], { env });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
    child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
    child.stdin.on('error', () => {});
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(input);
  });
