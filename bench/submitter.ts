import { openConnection, submitRequest } from './http-client.ts';
import { benchStory, bodiesOf, submit } from './load.ts';

/** A process of its own: submits by some clients without pause until it is told to end. */
const [url, clients] = process.argv.slice(2) as [string, string];
const requests = bodiesOf(benchStory('project-0'), 50).map(submitRequest);
const state = { ending: false, submitted: 0 };
process.once('SIGTERM', () => (state.ending = true));
process.send?.('ready');
await Promise.all(
  Array.from({ length: Number(clients) }, async (_, client) => {
    const connection = await openConnection(url);
    for (let n = client; !state.ending; n++) {
      await submit(connection, requests[n % requests.length]!);
      state.submitted++;
    }
    connection.close();
  }),
);
process.send?.({ submitted: state.submitted });
process.disconnect?.();
