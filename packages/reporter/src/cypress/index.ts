import type { GivenOptions } from '../options/options.ts';
import { outputTo } from '../output.ts';
import { openSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { screenshotsOf } from './attachments.ts';
import { casesOf } from './build-cases.ts';
import { type MediaFile, buildMediaReport } from './media.ts';
import type {
  CypressConfig,
  CypressOn,
  CypressRunDetails,
  CypressRunResults,
  CypressSpec,
  CypressSpecResults,
} from './types.ts';

export type { GivenOptions as AssayOptions } from '../options/options.ts';

/** What Cypress is to call, for a config that has functions for these events of its own. */
export interface CypressHandlers {
  beforeRun(details: CypressRunDetails): void;
  afterSpec(spec: CypressSpec, results: CypressSpecResults | undefined): void;
  afterRun(results: CypressRunResults | undefined): Promise<void>;
}

/**
 * Sends the runs of Cypress to Assay, from `setupNodeEvents`. Whatever goes wrong with that is a line of text and nothing
 * else.
 */
const assay = (on: CypressOn, config: CypressConfig, options: GivenOptions = {}): CypressHandlers => {
  const handlers = createHandlers(config, options);
  on('before:run', handlers.beforeRun);
  on('after:spec', handlers.afterSpec);
  on('after:run', handlers.afterRun);
  return handlers;
};

export default assay;

const createHandlers = (config: CypressConfig, options: GivenOptions): CypressHandlers => {
  const output = outputTo(process.stderr);
  const media: MediaFile[] = [];
  let session: Session | null = null;
  let browser: string | undefined;
  let hasFailed = false;

  const guard = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      session?.failed(`Assay could not read what Cypress told: ${String(error)}`);
      hasFailed = true;
    }
  };

  return {
    beforeRun(details) {
      // Who has the window of Cypress open runs a spec with every change.
      if (config.isInteractive) return;
      browser = details?.browser?.name;
      const version = details?.cypressVersion ?? config.version ?? null;
      session?.close();
      session = openSession(
        options,
        { name: 'cypress', title: 'Cypress', folder: config.projectRoot, details: { version }, shard: null },
        output,
      );
    },
    afterSpec(spec, results) {
      const current = session;
      if (current === null) return;
      guard(() => {
        const told = results ?? { error: 'Cypress told no results' };
        const facts = { root: current.root, projectRoot: config.projectRoot, browser };
        const screenshots = screenshotsOf(told);
        casesOf(spec, told, facts).forEach((testCase, at) => {
          hasFailed ||= testCase.status === 'failed';
          current.add(testCase, screenshots[at]);
        });
        for (const { path } of told.screenshots ?? []) media.push({ spec: spec.relative, path });
        if (told.video) media.push({ spec: spec.relative, path: told.video });
      });
    },
    async afterRun(results) {
      const current = session;
      session = null;
      if (current === null) return;
      if (results?.status === 'failed') current.failed(results.message ?? 'Cypress could not run');
      const failed = hasFailed || results?.status === 'failed' || (results?.totalFailed ?? 0) > 0;
      const { uploadReports, labels } = current.options;
      const report = await buildMediaReport(uploadReports ? media : [], labels['cypress']).catch(() => null);
      current.ended({ status: failed ? 'failed' : 'passed', reports: report ? [report.report] : [] });
      await current.deliver();
      await report?.remove().catch(() => undefined);
    },
  };
};
