import { environment } from '../environment.ts';
import { openClient } from '../http/client.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { type Flushed, flush, waitingServers } from './flush.ts';

/** Everything that waits for one service, or with `fromAll` for any, within the time that the options give. */
export const flushNow = async (options: Options, output: Output, fromAll = false): Promise<Flushed> => {
  const client = openClient(options.serverUrl, options.credentials, environment());
  try {
    return await flush(client, options, output, {
      alsoRefused: true,
      signal: AbortSignal.timeout(options.timeoutMs),
      fromAll,
    });
  } finally {
    client.close();
  }
};

/**
 * Everything that waits, each run for the service that it was meant for. Credentials belong to the service that the options
 * name, and go to no other; where they name none, they are for whichever it is.
 */
export const flushEach = async (options: Options, output: Output): Promise<Flushed> => {
  const { serverUrls, unknown } = await waitingServers(options.spoolDir);
  const sent: string[] = [];
  const superseded: string[] = [];
  let left = unknown;
  let why = unknown > 0 ? `${options.spoolDir} has runs that cannot be read` : null;
  for (const serverUrl of serverUrls) {
    const isOwn = options.serverUrl === '' || options.serverUrl === serverUrl;
    const credentials = isOwn ? options.credentials : ({ kind: 'none' } as const);
    const flushed = await flushNow({ ...options, serverUrl, credentials }, output);
    sent.push(...flushed.sent);
    superseded.push(...flushed.superseded);
    left += flushed.left;
    why ??= flushed.why;
  }
  return { sent, superseded, left, why };
};
