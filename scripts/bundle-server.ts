import { join } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Writes the service with all that it depends on as few files of JavaScript: `main.js` starts it, `index.js` is its public
 * entry. Node would take longer to find and load the hundreds of files of its dependencies than the service to start.
 */
export const bundleServer = async (folder: string): Promise<void> => {
  const bundle = await rolldown({
    input: {
      main: 'main.ts',
      index: 'index.ts',
      'writer-thread': 'writer-thread.ts',
      'unpack-thread': 'archives/unpack-thread.ts',
      'trace-thread': 'traces/trace-thread.ts',
      'causes-thread': 'features/causes/causes-thread.ts',
      'outlines-thread': 'features/outlines/outlines-thread.ts',
      'import-process': 'importing/import-process.ts',
    },
    cwd: join(import.meta.dirname, '../packages/server/src'),
    platform: 'node',
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Each thread keeps the text of what it runs. Names stay, for the stack traces in logs.
    minify: { compress: false, mangle: false },
  });
  await bundle.close();
};
