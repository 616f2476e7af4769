import serveFiles from '@fastify/static';
import Fastify from 'fastify';

/** A process of its own: files from plain disk by Fastify. */
const [root] = process.argv.slice(2) as [string];
const app = Fastify();
await app.register(serveFiles, { root });
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.(Number(new URL(address).port));
process.once('SIGTERM', () => process.exit(0));
