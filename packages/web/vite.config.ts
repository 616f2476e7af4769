import { defineConfig } from 'vite';
import { bootScript } from './build/boot-script.ts';
import { compressedNeighbours } from './build/compressed-neighbours.ts';
import { endpointTable } from './build/endpoint-table.ts';

const SERVICE = 'http://localhost:3000';

export default defineConfig(({ command }) => {
  // Whoever builds from a test or a shell with another one would get the slow React that is for developers.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    root: import.meta.dirname,
    plugins: [endpointTable(), bootScript(), compressedNeighbours()],
    build: {
      target: 'es2023',
      modulePreload: { polyfill: false },
      // Never as a data: address, which the page's policy would refuse for anything but pictures.
      assetsInlineLimit: 0,
      rolldownOptions: { checks: { moduleLevelDirective: false } },
    },
    server: {
      proxy: { '/api': SERVICE, '/trace-viewer': SERVICE },
    },
  };
});
