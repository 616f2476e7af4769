import type { Environment } from '../environment.ts';
import { openClient } from '../http/client.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { flush } from './flush.ts';

/** So that what waits never keeps a test run for long. */
const PATIENCE_MS = 30_000;

/** After something was sent: what waits from before. Never rejects. */
export const sendKept = async (
  options: Options,
  output: Output,
  env: Environment,
  until: AbortSignal,
): Promise<void> => {
  const client = openClient(options.serverUrl, options.credentials, env);
  try {
    const signal = AbortSignal.any([until, AbortSignal.timeout(PATIENCE_MS)]);
    const { sent, left, why } = await flush(client, options, output, { alsoRefused: false, signal });
    sayFlushed(sent, why === null ? 0 : left, why, output);
  } finally {
    client.close();
  }
};

export const sayFlushed = (sent: readonly string[], left: number, why: string | null, output: Output): void => {
  for (const url of sent) output.say(`Assay: sent a run that was kept: ${url}`);
  if (left === 0) return;
  output.say(`Assay: ${left} kept ${left === 1 ? 'run waits' : 'runs wait'} still${why === null ? '' : `: ${why}`}`);
};
