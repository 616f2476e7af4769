import type { Submission } from '@assay/contract';
import { runFigures } from '@assay/contract/outcome';
import type { FilesImported, ImportedRun } from './import-files.ts';
import { addMetadata } from './metadata.ts';

/** What is known of a run beside its files, such as its branch and its key. */
export type Told = Omit<Submission, 'status' | 'startTime' | 'duration' | 'testCases' | 'metadata'> & {
  /** As a person set it. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** More metadata, which may be shortened so that all of it fits. */
  readonly found?: Readonly<Record<string, unknown>> | undefined;
};

/** One of the runs that files were read as, as it is submitted. */
export const submissionOf = (
  run: ImportedRun,
  { formats, warnings }: Pick<FilesImported, 'formats' | 'warnings'>,
  { metadata = {}, found = {}, ...told }: Told,
): Submission => {
  const { totalTests, passedTests, failedTests, skippedTests } = runFigures(run.cases);
  const upload = { formats: [...formats.keys()], ...(warnings.length > 0 ? { problems: warnings } : {}) };
  return {
    ...told,
    status: run.status,
    startTime: run.startTime,
    ...(run.durationMs === null ? {} : { duration: run.durationMs }),
    totalTests,
    passedTests,
    failedTests,
    skippedTests,
    metadata: addMetadata(metadata, { ...found, upload, ...(run.errors.length > 0 ? { errors: run.errors } : {}) }),
    testCases: [...run.cases],
  };
};
