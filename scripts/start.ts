import { buildWebIfStale, packReporterIfStale } from './build-web.ts';

await buildWebIfStale();
await packReporterIfStale();
await import('../packages/server/src/main.ts');
