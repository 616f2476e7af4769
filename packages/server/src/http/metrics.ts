import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Queries } from '../db/database.ts';
import { countJobs } from '../jobs/queue.ts';
import type { SegmentStore } from '../segments/store.ts';
import type { Writer } from '../writer/writer.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  readonly storedRuns: Counter;
  readonly storedResults: Counter;
}

export interface MetricSources {
  readonly writer: Writer;
  readonly segments: SegmentStore;
  readonly queries: Queries;
}

let ofProcess: Registry | null = null;

/** Nothing ends what watches the process, so that a service that was stopped would leave its watchers behind. */
const metricsOfProcess = (): Registry => {
  if (ofProcess === null) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
};

export const createMetrics = ({ writer, segments, queries }: MetricSources): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read());
        },
      }),
    );
  gauge('assay_writer_waiting', 'Commands that wait for the writing thread', () => writer.waiting);
  gauge('assay_segment_cache_bytes', 'Decoded segments held in memory', () => segments.cachedBytes);
  registry.registerMetric(
    new Gauge({
      name: 'assay_jobs',
      help: 'Background jobs that wait, and those that failed for good',
      labelNames: ['state'],
      registers: [],
      async collect() {
        for (const [state, count] of Object.entries(await countJobs(queries))) this.set({ state }, count);
      },
    }),
  );
  const metrics = {
    requests: new Histogram({
      name: 'assay_http_request_duration_seconds',
      help: 'Requests by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    storedRuns: new Counter({ name: 'assay_stored_runs_total', help: 'Runs that were made', registers }),
    storedResults: new Counter({ name: 'assay_stored_results_total', help: 'Results that were stored', registers }),
  };
  return { ...metrics, registry: Registry.merge([metricsOfProcess(), registry]) };
};
