import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Loaded from `node_modules` at run time; everything else is part of the bundle. */
export const DEPENDENCIES = ['@fastify/cors', 'fastify', 'pino', 'prom-client', 'yauzl'];

/** Writes the service as few files of JavaScript: `main.js` starts it, `index.js` is its public entry. */
export const bundleServer = async (folder: string): Promise<void> => {
  const bundle = await rolldown({
    input: {
      main: 'main.ts',
      index: 'index.ts',
      'writer-thread': 'writer-thread.ts',
      'unpack-thread': 'archives/unpack-thread.ts',
      'trace-thread': 'traces/trace-thread.ts',
    },
    cwd: join(import.meta.dirname, '../packages/server/src'),
    platform: 'node',
    external: DEPENDENCIES,
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
};
