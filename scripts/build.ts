import { buildServer } from './build-server.ts';

console.log(await buildServer());
