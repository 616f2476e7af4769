import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { Span } from '../../history/spans.ts';
import { BlockError } from '../../segments/block.ts';
import type { Results } from '../../segments/results.ts';
import type { ReadableRun, SegmentStore } from '../../segments/store.ts';
import type { Writer } from '../../writer/writer.ts';
import { runCommands } from './commands.ts';
import { runNotFound } from './delete-run.ts';

/** Learns of runs that cannot be read as they were stored. */
export interface DamageReports {
  report(runId: number, error: BlockError): void;
}

export interface SummaryReports {
  /** Has a summary that cannot be read written again. */
  reportSummary(projectId: number, span: Span, branch: string | undefined): void;
  /** Has a summary of a branch written that nobody needed before. */
  reportMissingSummary(projectId: number, span: Span, branch: string): void;
}

export interface DamageOptions {
  readonly queries: Queries;
  readonly writer: Writer;
  readonly onFault: (fault: Error) => void;
}

/** Marks each damaged run and logs it, once: a run that is marked was logged before. */
export const createDamageReports = ({ queries, writer, onFault }: DamageOptions): DamageReports & SummaryReports => {
  /** Runs that are being marked. */
  const reported = new Set<number>();
  const missing = new Set<string>();
  const mark = async (runId: number, reason: string): Promise<void> => {
    const run = await queries
      .selectFrom('runs')
      .select(['project_id', 'damage'])
      .where('id', '=', runId)
      .executeTakeFirst();
    if (!run || run.damage !== null) return;
    onFault(new Error(`Test run ${runId} of project ${run.project_id} is damaged: ${reason}`));
    await writer.execute(runCommands.markDamaged, { runId, reason });
  };
  return {
    report(runId, { message }) {
      if (reported.has(runId)) return;
      reported.add(runId);
      // What cannot be marked now is marked when it is next read.
      const forget = (): void => void reported.delete(runId);
      mark(runId, message).then(forget, forget);
    },
    reportSummary(projectId, span, branch) {
      onFault(
        new Error(`Summary ${span.index} of level ${span.level} of project ${projectId} is damaged and made again`),
      );
      writer.execute(runCommands.rewriteSummary, { projectId, span, branch }).catch(() => undefined);
    },
    reportMissingSummary(projectId, span, branch) {
      const key = `${projectId}/${span.level}/${span.index}/${branch}`;
      if (missing.has(key)) return;
      missing.add(key);
      const forget = (): void => void missing.delete(key);
      writer.execute(runCommands.rewriteSummary, { projectId, span, branch }).then(forget, forget);
    },
  };
};

const runDamaged = (id: number): AppError =>
  new AppError(
    'run_damaged',
    `What is stored of test run ${id} is damaged and cannot be read; delete the run, or restore a backup`,
  );

/** The results of a run, or an error that says why there are none. */
export const getResults = async (
  { queries, segments }: { readonly queries: Queries; readonly segments: SegmentStore },
  run: ReadableRun,
): Promise<Results> => {
  const results = (await segments.results([run])).get(run.id);
  if (results) {
    await results.strings.prepare();
    return results;
  }
  const present = await queries.selectFrom('runs').select('id').where('id', '=', run.id).executeTakeFirst();
  throw present ? runDamaged(run.id) : runNotFound(run.id);
};

/** Does what reads blocks of a run; damage is reported and told. */
export const orDamaged = async <T>(damage: DamageReports, runId: number, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BlockError)) throw error;
    damage.report(runId, error);
    throw runDamaged(runId);
  }
};
