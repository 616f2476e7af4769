import { getRequest, openConnection } from './http-client.ts';

/** A process of its own: one client that reads something small again and again, and tells how long it waited. */
const PAUSE_MS = 5;
const [url, path] = process.argv.slice(2) as [string, string];
const connection = await openConnection(url);
const request = getRequest(path);
const waits: number[] = [];
const state = { ending: false };
process.once('SIGTERM', () => (state.ending = true));
process.send?.('ready');
while (!state.ending) {
  const start = performance.now();
  await connection.send(request);
  waits.push(performance.now() - start);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
connection.close();
process.send?.(waits, () => process.disconnect());
