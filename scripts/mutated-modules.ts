/** The modules that `npm run mutate` knows, each with the tests that cover it. */
export interface MutatedModule {
  /** A folder or a file. */
  readonly source: string;
  /** What Vitest is asked to run: the quick tests first, the others for mutants that survive them. */
  readonly tests: readonly (readonly string[])[];
}

const server = (tests: string): string[] => tests.split(' ').map((test) => `packages/server/${test}`);

export const MUTATED_MODULES: Readonly<Record<string, MutatedModule>> = {
  outcome: {
    source: 'packages/contract/src/outcome.ts',
    tests: [['packages/contract/src/outcome']],
  },
  segments: {
    source: 'packages/server/src/segments',
    tests: [
      server('src/segments/ test/segments/'),
      server(
        'test/conformance/verbatim test/conformance/test-case test/conformance/network test/conformance/run-figures',
      ),
      server('test/model/reads src/features/parts/ test/robustness/damaged-blocks'),
    ],
  },
  history: {
    source: 'packages/server/src/history',
    tests: [
      server('src/history/'),
      server('test/insights/ test/conformance/tests test/conformance/slow-tests test/conformance/delete-run'),
      server('test/model/reads test/model/long-history test/robustness/damaged-blocks'),
    ],
  },
  parts: {
    source: 'packages/server/src/features/parts',
    tests: [
      server('src/features/parts/union test/parts/ test/live/live test/conformance/attempts'),
      server('src/features/parts/rewrite-part test/live/quiet test/model/parts test/robustness/damaged-blocks'),
    ],
  },
  live: {
    source: 'packages/server/src/features/live',
    tests: [
      server('test/live/live test/live/files test/conformance/attempts'),
      server('test/live/quiet test/model/parts'),
    ],
  },
  jobs: {
    source: 'packages/server/src/jobs',
    tests: [server('src/jobs/'), server('test/parts/parts test/live/quiet')],
  },
  writer: {
    source: 'packages/server/src/writer',
    tests: [
      server('src/writer/'),
      server('test/conformance/submit.test test/robustness/staged-tests test/robustness/stop'),
    ],
  },
  ingest: {
    source: 'packages/server/src/features/ingest',
    tests: [
      server(
        'src/features/ingest/plain-case test/conformance/submit test/conformance/verbatim test/conformance/attempts',
      ),
      server(
        'src/features/ingest/read-body test/conformance/case-fields test/conformance/request-body test/files/upload',
      ),
      server('src/writer/writer.test test/robustness/staged-tests test/parts/parts test/conformance/idempotency'),
    ],
  },
};
