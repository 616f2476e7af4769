export type ExportFormat = 'json' | 'junit' | 'ctrf' | 'csv';

export interface ExportKind {
  readonly label: string;
  readonly extension: string;
  readonly contentType: string;
  /** What of a run the format does not hold. */
  readonly loss: string;
}

export const EXPORTS: Readonly<Record<ExportFormat, ExportKind>> = {
  json: {
    label: 'JSON',
    extension: 'json',
    contentType: 'application/json; charset=utf-8',
    loss: 'Left out: reports, traces, attachments, shards, the run key, the default branch, and how many announced tests never came. A run in progress is exported as interrupted.',
  },
  junit: {
    label: 'JUnit XML',
    extension: 'junit.xml',
    contentType: 'application/xml; charset=utf-8',
    loss: 'Left out: status, branch, commit and metadata of the run; steps, requests, web vitals, console, start, worker and metadata of tests; all files; colours, and characters that XML does not allow. Interrupted tests become failed, unknown statuses skipped, and a test has at most 100 retries.',
  },
  ctrf: {
    label: 'CTRF',
    extension: 'ctrf.json',
    contentType: 'application/json; charset=utf-8',
    loss: 'Left out: metadata of the run; columns, inner steps, durations of steps, requests, web vitals, console, annotations, worker and metadata of tests; all files. Unknown durations become 0, interrupted tests failed, and at most 100 attempts of a test are listed.',
  },
  csv: {
    label: 'CSV',
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    loss: 'Left out: everything of the run but its results; attempts, steps, requests, web vitals, console, annotations and metadata of tests; all files. A text that begins with =, +, -, @, a tab or a carriage return gets an apostrophe before it, so that no spreadsheet runs it as a formula.',
  },
};
