import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/**
 * Writes the service with all that it depends on as few files of JavaScript: `main.js` starts it, `index.js` is its public
 * entry. Node would take longer to find and load the hundreds of files of its dependencies than the service to start.
 */
export const bundleServer = async (folder: string, more: Readonly<Record<string, string>> = {}): Promise<void> => {
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
      ...more,
    },
    cwd: join(import.meta.dirname, '../packages/server/src'),
    platform: 'node',
    plugins: [oneBytePerCharacter],
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Each thread keeps the text of what it runs. Names of functions stay, for the stack traces in logs.
    minify: { compress: false, mangle: { keepNames: true } },
  });
  await bundle.close();
};

/** Of a text with a single character beyond ASCII every thread that runs it keeps two bytes for each. */
const oneBytePerCharacter: Plugin = {
  name: 'one-byte-per-character',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      if (/\\[^\0-\x7f]/.test(file.code)) throw new Error(`${file.fileName} has an escaped character beyond ASCII`);
      file.code = file.code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};
