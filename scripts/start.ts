import { buildWebIfStale } from './build-web.ts';

await buildWebIfStale();
await import('../packages/server/src/main.ts');
