import { withCommas } from './with-commas.ts';

export type ExportFormat = 'html' | 'json' | 'junit' | 'ctrf' | 'csv';

/** Failed and flaky results in a run as HTML that have more than their line. */
export const MAX_TOLD_RESULTS = 2_000;
/** Pictures in a run as HTML, and their bytes in all. */
export const MAX_EMBEDDED_PICTURES = 200;
export const MAX_EMBEDDED_BYTES = 20 * 1024 * 1024;

export interface ExportKind {
  readonly label: string;
  readonly extension: string;
  readonly contentType: string;
  /** What of a run the format does not hold. */
  readonly loss: string;
}

export const EXPORTS: Readonly<Record<ExportFormat, ExportKind>> = {
  html: {
    label: 'HTML',
    extension: 'html',
    contentType: 'text/html; charset=utf-8',
    loss: `Left out: of tests that neither failed nor were flaky, and of those beyond the first ${withCommas(MAX_TOLD_RESULTS)}, all but the result; of the others requests, web vitals, console, start, worker and metadata, steps after the first 200, the middle of texts above 20,000 characters, and files other than one picture of each attempt; pictures beyond ${MAX_EMBEDDED_PICTURES} or ${MAX_EMBEDDED_BYTES / 1024 / 1024} MB in all; metadata of the run; exact shades of colours. A test has at most 100 retries.`,
  },
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
    loss: 'Left out: status, branch, commit and metadata of the run; steps, requests, web vitals, console, start, worker and metadata of tests, and why they did not run; all files; colours, and characters that XML does not allow. Interrupted tests become failed, unknown statuses skipped, and a test has at most 100 retries.',
  },
  ctrf: {
    label: 'CTRF',
    extension: 'ctrf.json',
    contentType: 'application/json; charset=utf-8',
    loss: 'Left out: metadata of the run; columns, inner steps, durations of steps, requests, web vitals, console, annotations, worker and metadata of tests, and why they did not run; all files. Unknown durations become 0, interrupted tests failed, and at most 100 attempts of a test are listed.',
  },
  csv: {
    label: 'CSV',
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    loss: 'Left out: everything of the run but its results; attempts, steps, requests, web vitals, console, annotations and metadata of tests; all files. A text that begins with =, +, -, @, a tab or a carriage return gets an apostrophe before it, so that no spreadsheet runs it as a formula.',
  },
};
