import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Queries } from './db/database.ts';
import type { ServiceEvent } from './events.ts';

const CHANNEL = 'assay_events';
/** PostgreSQL takes at most 8,000 bytes at once. */
const EVENTS_AT_ONCE = 40;
const GATHER_MS = 10;
const FIRST_RECONNECT_MS = 250;
const LONGEST_RECONNECT_MS = 10_000;
/** A replica that ends between its commit and its notification leaves a change that nobody was told of. */
const CATCH_UP_MS = 10_000;

export interface ReplicaEvents {
  /** Tells the other replicas. */
  publish(events: readonly ServiceEvent[]): void;
  close(): Promise<void>;
}

interface Options {
  readonly url: string;
  readonly queries: Queries;
  /** Learns what other replicas changed. */
  readonly onEvent: (event: ServiceEvent) => void;
}

/**
 * Carries events between replicas through LISTEN and NOTIFY. What was missed while the connection was lost is told as
 * changes of projects, by their revisions.
 */
export const openReplicaEvents = ({ url, queries, onEvent }: Options): ReplicaEvents => {
  const self = randomUUID();
  let client: pg.Client | null = null;
  let waiting: ServiceEvent[] = [];
  let gathering: NodeJS.Timeout | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  let reconnectMs = FIRST_RECONNECT_MS;
  let revisions: ReadonlyMap<number, number> | null = null;
  let closed = false;

  const catchUp = async (): Promise<void> => {
    try {
      const rows = await queries.selectFrom('projects').select(['id', 'revision']).execute();
      const known = revisions;
      revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
      if (known === null) return;
      const changed = [...new Set([...known.keys(), ...revisions.keys()])].filter(
        (id) => known.get(id) !== revisions!.get(id),
      );
      for (const projectId of changed) onEvent({ type: 'project', projectId });
    } catch {
      // The next time tells what this one could not read.
    }
  };

  const receive = (payload: string | undefined): void => {
    const { from, events } = JSON.parse(payload ?? '{}') as { from?: string; events?: ServiceEvent[] };
    if (from === self) return;
    for (const event of events ?? []) onEvent(event);
  };

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'assay events' });
    const lose = (): void => {
      if (client !== fresh && client !== null) return;
      client = null;
      if (closed || reconnecting) return;
      reconnecting = setTimeout(() => {
        reconnecting = undefined;
        void connect();
      }, reconnectMs).unref();
      reconnectMs = Math.min(2 * reconnectMs, LONGEST_RECONNECT_MS);
    };
    fresh.on('error', lose);
    fresh.on('end', lose);
    fresh.on('notification', ({ payload }) => receive(payload));
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
    } catch {
      await fresh.end().catch(() => undefined);
      lose();
      return;
    }
    if (closed) {
      await fresh.end();
      return;
    }
    client = fresh;
    reconnectMs = FIRST_RECONNECT_MS;
    await catchUp();
    flush();
  };

  const flush = (): void => {
    gathering = undefined;
    if (client === null) return;
    while (waiting.length > 0) {
      const payload = JSON.stringify({ from: self, events: waiting.splice(0, EVENTS_AT_ONCE) });
      // What is lost with the connection is found by its revision.
      client.query('SELECT pg_notify($1, $2)', [CHANNEL, payload]).catch(() => undefined);
    }
  };

  const connecting = connect();
  const timer = setInterval(() => void catchUp(), CATCH_UP_MS).unref();
  return {
    publish(events) {
      waiting.push(...events);
      // Whoever was not connected for so long catches up anyway.
      if (client === null) waiting = waiting.slice(-EVENTS_AT_ONCE);
      if (waiting.length > 0) gathering ??= setTimeout(flush, GATHER_MS).unref();
    },
    async close() {
      closed = true;
      clearInterval(timer);
      clearTimeout(gathering);
      clearTimeout(reconnecting);
      await connecting;
      await client?.end();
    },
  };
};
