import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// oxlint-disable-next-line node/no-process-env
const bundle = process.env['TESTED_SERVICE'];

/** Of the bundle that the tests of a run share, if there is one: every thread would compile the source anew. */
export const THREAD_FILE =
  bundle === undefined
    ? new URL('../unpack-thread.ts', import.meta.url)
    : pathToFileURL(join(bundle, 'unpack-thread.js'));
