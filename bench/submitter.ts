import { openConnection } from './http-client.ts';
import { createLife } from './life.ts';
import { sendRun } from './send-life.ts';

/** A process of its own: some clients that send runs as in life, one after the other, until it is told to end. */
const [url, clients] = process.argv.slice(2) as [string, string];
const life = createLife('life');
const state = { ending: false, results: 0 };
process.once('SIGTERM', () => (state.ending = true));
process.send?.('ready');
await Promise.all(
  Array.from({ length: Number(clients) }, async () => {
    const connection = await openConnection(url);
    while (!state.ending) {
      const run = life.next();
      await sendRun(url, connection, run);
      state.results += run.results;
    }
    connection.close();
  }),
);
process.send?.({ results: state.results });
process.disconnect?.();
