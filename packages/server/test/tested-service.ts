import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as service from '../src/index.ts';
import { reuseWriterThreads } from './reused-writer-threads.ts';

export type { Config, LogDestination } from '../src/index.ts';

// oxlint-disable-next-line node/no-process-env
const bundle = process.env['TESTED_SERVICE'];
const entry = bundle === undefined ? '../src/index.ts' : join(bundle, 'index.js');

const threadFile =
  bundle === undefined
    ? new URL('reused-writer-thread.ts', import.meta.url)
    : pathToFileURL(join(bundle, 'reused-writer-thread.js'));
const startWriterThread = reuseWriterThreads(threadFile);

/** The public entry: of the bundle that the tests of a run share, if there is one, else of the source. */
const { readConfig: readSettings, startService } = (await import(entry)) as typeof service;

export { startService };

export const readConfig: typeof readSettings = (environment) => ({ ...readSettings(environment), startWriterThread });
