import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Delivery } from '../delivery/delivery.ts';
import { describeSuperseded } from '../delivery/other-sender.ts';
import { reportDropped } from '../delivery/refused-files.ts';
import type { Sent } from '../delivery/send-whole.ts';
import type { Client } from '../http/client.ts';
import { concernsAll, isFinal } from '../http/failure.ts';
import { sendAll } from '../live/send-all.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import {
  ENTRY_FILE,
  type Entry,
  REFUSED_FILE,
  claim,
  hasFile,
  isFor,
  listSpool,
  recover,
  removeFolder,
} from './entry.ts';

export interface Flushed {
  /** Addresses of the runs that were sent. */
  readonly sent: readonly string[];
  /** Why those that the service took have no results there. */
  readonly superseded: readonly string[];
  /** How many still wait. */
  readonly left: number;
  /** Why, when it is known. */
  readonly why: string | null;
}

export interface FlushOptions {
  /** Also what was refused before, as someone asks who may have changed what it was refused for. */
  readonly alsoRefused: boolean;
  readonly signal: AbortSignal;
  /** Whether also what was meant for another service goes to this one. */
  readonly fromAll?: boolean;
}

/** Sends what waits for a service, oldest first, until the service takes nothing at all. Never rejects. */
export const flush = async (
  client: Client,
  { spoolDir, serverUrl }: Options,
  output: Output,
  { alsoRefused, signal, fromAll = false }: FlushOptions,
): Promise<Flushed> => {
  const sent: string[] = [];
  const superseded: string[] = [];
  let left = 0;
  let why: string | null = null;
  try {
    await recover(spoolDir);
    for (const waiting of await listSpool(spoolDir)) {
      if (!(fromAll || isFor(waiting.name, serverUrl)) || waiting.state !== 'waiting') continue;
      const isRefused = await hasFile(waiting.folder, REFUSED_FILE);
      if (signal.aborted || (isRefused && !alsoRefused)) {
        left++;
        continue;
      }
      const folder = await claim(spoolDir, waiting);
      if (folder === null) continue;
      const delivery = await readEntry(folder);
      // What cannot be read is left as it is, for someone may be able to.
      const result: Sent = delivery
        ? await sendAll(tryingOnce(client), delivery, output, signal)
        : { ok: false, failure: { kind: 'refused', status: 400, code: null, why: `${folder} cannot be read` } };
      if (result.ok) {
        removeFolder(folder);
        reportDropped(result.dropped, output);
        const url = `${serverUrl}/test-runs/${result.runId}`;
        if (result.outcome === 'superseded') superseded.push(`${describeSuperseded(delivery!)} ${url}`);
        else sent.push(url);
        continue;
      }
      const { failure } = result;
      left++;
      ({ why } = failure);
      if (isFinal(failure)) await writeFile(join(folder, REFUSED_FILE), `${why}\n`).catch(() => undefined);
      await rename(folder, waiting.folder).catch(() => undefined);
      if (concernsAll(failure))
        return { sent, superseded, left: await countWaiting(spoolDir, fromAll ? null : serverUrl), why };
    }
  } catch (error) {
    why = String(error);
  }
  return { sent, superseded, left, why };
};

/** What fails here may be tried again by the next run, and others wait behind it. */
const tryingOnce = (client: Client): Client => ({ ...client, call: (call) => client.call({ ...call, tries: 1 }) });

const readEntry = async (folder: string): Promise<Delivery | null> => {
  try {
    const { submission, idempotencyKey, reports, traces, attachments, batchEnds } = JSON.parse(
      await readFile(join(folder, ENTRY_FILE), 'utf8'),
    ) as Omit<Entry, 'attachments'> & Partial<Pick<Entry, 'attachments'>>;
    const inFolder = <T extends { readonly path: string }>(item: T): T => ({ ...item, path: join(folder, item.path) });
    return {
      submission,
      idempotencyKey,
      reports: reports.map(inFolder),
      traces: traces.map(inFolder),
      // Entries of earlier versions have none.
      attachments: (attachments ?? []).map(inFolder),
      ...(batchEnds === undefined ? {} : { batchEnds }),
    };
  } catch {
    return null;
  }
};

const countWaiting = async (spoolDir: string, serverUrl: string | null): Promise<number> =>
  (await listSpool(spoolDir)).filter(({ name }) => serverUrl === null || isFor(name, serverUrl)).length;

/** The services that something waits for, and how many wait for one that is not known. */
export const waitingServers = async (
  spoolDir: string,
): Promise<{ readonly serverUrls: readonly string[]; readonly unknown: number }> => {
  await recover(spoolDir);
  const serverUrls: string[] = [];
  let unknown = 0;
  for (const { folder, name, state } of await listSpool(spoolDir)) {
    if (state !== 'waiting' || serverUrls.some((serverUrl) => isFor(name, serverUrl))) continue;
    const serverUrl = await readServerUrl(folder);
    if (serverUrl !== null && isFor(name, serverUrl)) serverUrls.push(serverUrl);
    else unknown++;
  }
  return { serverUrls, unknown };
};

const readServerUrl = async (folder: string): Promise<string | null> => {
  try {
    const { serverUrl } = JSON.parse(await readFile(join(folder, ENTRY_FILE), 'utf8')) as Partial<Entry>;
    return typeof serverUrl === 'string' ? serverUrl : null;
  } catch {
    return null;
  }
};
