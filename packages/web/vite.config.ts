import { defineConfig } from 'vite';
import { bootScript } from './build/boot-script.ts';
import { compressedNeighbours } from './build/compressed-neighbours.ts';
import { endpointTable } from './build/endpoint-table.ts';

const SERVICE = 'http://localhost:3000';

export default defineConfig({
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
});
