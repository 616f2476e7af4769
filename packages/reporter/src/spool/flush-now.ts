import { environment } from '../environment.ts';
import { openClient } from '../http/client.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { type Flushed, flush } from './flush.ts';

/** As `assay flush` does: everything that waits for this service, within the time that the options give. */
export const flushNow = async (options: Options, output: Output): Promise<Flushed> => {
  const client = openClient(options.serverUrl, options.credentials, environment());
  try {
    return await flush(client, options, output, {
      alsoRefused: true,
      signal: AbortSignal.timeout(options.timeoutMs),
    });
  } finally {
    client.close();
  }
};
