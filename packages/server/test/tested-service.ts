import { join } from 'node:path';
import type * as service from '../src/index.ts';

export type { Config, LogDestination } from '../src/index.ts';

// oxlint-disable-next-line node/no-process-env
const bundle = process.env['TESTED_SERVICE'];
const entry = bundle === undefined ? '../src/index.ts' : join(bundle, 'index.js');

/** The public entry: of the bundle that the tests of a run share, if there is one, else of the source. */
export const { readConfig, startService } = (await import(entry)) as typeof service;
