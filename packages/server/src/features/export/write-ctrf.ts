import { EXPORTS, type Outcome, isFlaky, outcomeOf } from '@assay/contract';
import { writeList } from '../../http/json-pieces.ts';
import { version } from '../../version.ts';
import { type ExportedCase, type ExportedRun, type ToldAttempt, readExported } from './exported-run.ts';

/** The Common Test Report Format. What it counts comes behind the tests, which are read once. */
export async function* writeCtrf({ run, projectName, cases }: ExportedRun): AsyncGenerator<string> {
  const start = Date.parse(run.startTime);
  const counts: Record<Outcome, number> = { passed: 0, failed: 0, skipped: 0, other: 0 };
  async function* writeTests(): AsyncGenerator<string> {
    for await (const some of cases({ withDetails: true })) {
      for (const { result } of some) counts[outcomeOf(result.status)]++;
      yield JSON.stringify(some.map(testOf));
    }
  }
  const head = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: `Assay ${version}`,
    extra: { loss: EXPORTS.ctrf.loss, project: projectName, run: run.id, status: run.status },
  };
  const environment = {
    ...(run.branch === null ? {} : { branchName: run.branch }),
    ...(run.commit === null ? {} : { commit: run.commit }),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"results":{"tool":{"name":"Assay"},"tests":`;
  yield* writeList(writeTests());
  const tests = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const stop = start + Math.round(run.duration ?? 0);
  const summary = { tests, ...counts, pending: 0, start, stop, duration: run.duration ?? 0 };
  yield `,"summary":${JSON.stringify(summary)},"environment":${JSON.stringify(environment)}}}`;
}

const testOf = (exported: ExportedCase) => {
  const { title, status, duration, filePath, line, browser, retries, tags, error, startTime } = exported.result;
  const { earlier, last, steps } = readExported(exported);
  return {
    name: title,
    ...statusOf(status),
    duration: duration ?? 0,
    ...(startTime === undefined ? {} : { start: Date.parse(startTime) }),
    filePath,
    ...(line === null ? {} : { line }),
    ...(browser === null ? {} : { browser }),
    ...(tags.length > 0 ? { tags } : {}),
    retries,
    flaky: isFlaky(status, retries),
    ...messageOf(error),
    ...outputOf(last),
    ...(earlier.some(({ status: told }) => told !== null) ? { retryAttempts: earlier.map(retryOf) } : {}),
    ...(steps.length > 0
      ? {
          steps: steps.map((step) => ({
            name: step.title,
            status: (step.error ?? null) === null ? 'passed' : 'failed',
          })),
        }
      : {}),
  };
};

const retryOf = (attempt: ToldAttempt, at: number) => ({
  attempt: at + 1,
  ...statusOf(attempt.status ?? 'failed'),
  duration: attempt.duration ?? 0,
  ...messageOf(attempt.error),
  ...outputOf(attempt),
});

const statusOf = (status: string) => {
  const outcome = outcomeOf(status);
  return { status: outcome, ...(outcome === status ? {} : { rawStatus: status }) };
};

const messageOf = (error: string | null) => (error ? { message: error.split('\n', 1)[0]!, trace: error } : {});

const outputOf = ({ stdout, stderr }: ToldAttempt) => ({
  ...(stdout === '' ? {} : { stdout: stdout.split('\n') }),
  ...(stderr === '' ? {} : { stderr: stderr.split('\n') }),
});
