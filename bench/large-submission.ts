import { type Row, megabytes, milliseconds } from './figures.ts';
import { openConnection, submitRequest } from './http-client.ts';
import { rssRow, sendPatiently, settledRss, timed, watchRss } from './measuring.ts';
import { plainRunBody } from './plain-runs.ts';
import type { BenchService } from './service.ts';

const PAUSE_MS = 20;
const WAIT_LIMIT_MS = 1_000;

/** One submission with very many tests that nobody has seen before, while another client submits small ones. */
export const largeSubmissionRows = async (service: BenchService, cases: number): Promise<Row[]> => {
  const body = plainRunBody({ projectName: 'large', run: 0, cases });
  const small = submitRequest(plainRunBody({ projectName: 'small', run: 0, cases: 20 }));
  const [sender, other] = [await openConnection(service.url), await openConnection(service.url)];
  const peak = watchRss(service);
  const state = { stored: false };
  const storing = timed(async () => {
    const { status } = await sendPatiently(sender, submitRequest(body));
    if (status !== 200) throw new Error(`The submission was answered ${status}`);
    state.stored = true;
  });
  let longestMs = 0;
  while (!state.stored) {
    longestMs = Math.max(longestMs, 1000 * (await timed(() => other.send(small))));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const seconds = await storing;
  sender.close();
  other.close();
  return [
    { what: `Storing ${cases} results of new tests, ${megabytes(body.length)}`, measured: `${seconds.toFixed(1)} s` },
    {
      what: 'Longest wait of a small submission meanwhile',
      measured: milliseconds(longestMs),
      limit: `${WAIT_LIMIT_MS} ms`,
      ok: longestMs <= WAIT_LIMIT_MS,
    },
    rssRow('Peak RSS', peak.stop()),
    rssRow('RSS afterwards', await settledRss(service)),
  ];
};
