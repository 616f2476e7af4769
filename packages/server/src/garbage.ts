import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major'; flavor?: 'last-resort' }) => void;

export const collectYoung = (): void => collect({ type: 'minor' });

/** Everything that can be collected, and its memory goes back to the system; takes some 30 ms. */
export const collectAll = (): void => collect({ type: 'major', flavor: 'last-resort' });
