import { endpoints } from '@assay/contract';
import type { Plugin } from 'vite';

const NAME = 'virtual:endpoints';
const RESOLVED = `\0${NAME}`;

/** The contract's table cut down to what a request needs, so that no schema is sent to browsers. */
export const endpointTable = (): Plugin => ({
  name: 'endpoint-table',
  resolveId: (id) => (id === NAME ? RESOLVED : undefined),
  load(id) {
    if (id !== RESOLVED) return undefined;
    const table = Object.entries(endpoints).map(([name, { method, path }]) => [name, { method, path }]);
    return `export const endpoints = ${JSON.stringify(Object.fromEntries(table))};`;
  },
});
