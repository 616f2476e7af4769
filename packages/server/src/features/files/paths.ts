/** Where the files of a report are read, below `/api/files/`. Written so that it can be put into a link as it is. */
export const reportPath = (reportId: number, path: string): string =>
  `reports/${reportId}/${path.split('/').map(encodeURIComponent).join('/')}`;

export const tracePath = (traceId: number): string => `traces/${traceId}/trace.zip`;

export type FileName =
  | { readonly kind: 'report'; readonly reportId: number; readonly path: string }
  | { readonly kind: 'trace'; readonly traceId: number };

const ID = '([1-9]\\d{0,14})';
const REPORT = new RegExp(`^reports/${ID}/(.+)$`, 's');
const TRACE = new RegExp(`^traces/${ID}/trace\\.zip$`);

/** What a path below `/api/files/` names, already decoded; null when it can name nothing. */
export const parseFilePath = (path: string): FileName | null => {
  const report = REPORT.exec(path);
  if (report) return { kind: 'report', reportId: Number(report[1]), path: report[2]! };
  const trace = TRACE.exec(path);
  return trace ? { kind: 'trace', traceId: Number(trace[1]) } : null;
};
