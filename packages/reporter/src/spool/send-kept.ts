import type { Environment } from '../environment.ts';
import { openClient } from '../http/client.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { type Flushed, flush } from './flush.ts';

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
    const flushed = await flush(client, options, output, { alsoRefused: false, signal });
    reportFlushed(flushed.why === null ? { ...flushed, left: 0 } : flushed, output);
  } finally {
    client.close();
  }
};

export const reportFlushed = ({ sent, superseded, left, why }: Flushed, output: Output): void => {
  for (const url of sent) output.say(`Assay: sent a kept run: ${url}`);
  for (const reason of superseded) output.say(`Assay: results of a kept run not stored: ${reason}`);
  if (left === 0) return;
  output.say(
    `Assay: ${left} kept ${left === 1 ? 'run is' : 'runs are'} still waiting${why === null ? '' : `: ${why}`}`,
  );
};
