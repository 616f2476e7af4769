/** Where the files of a report are read, below `/api/files/`. Written so that it can be put into a link as it is. */
export const reportPath = (reportId: number, path: string): string =>
  `reports/${reportId}/${path.split('/').map(encodeURIComponent).join('/')}`;

export const tracePath = (traceId: number): string => `traces/${traceId}/trace.zip`;

export const attachmentPath = (attachmentId: number, name: string): string =>
  `attachments/${attachmentId}/${encodeURIComponent(name)}`;

export interface ReportFileName {
  readonly kind: 'report';
  readonly reportId: number;
  readonly path: string;
}

export interface TraceName {
  readonly kind: 'trace';
  readonly traceId: number;
}

export interface AttachmentName {
  readonly kind: 'attachment';
  readonly attachmentId: number;
}

export type FileName = ReportFileName | TraceName | AttachmentName;

const ID = '([1-9]\\d{0,14})';
const REPORT = new RegExp(`^reports/${ID}/(.+)$`, 's');
/** The name is for people who save the file. */
const ATTACHMENT = new RegExp(`^attachments/${ID}/[^/]+$`, 's');
const TRACE = new RegExp(`^traces/${ID}/trace\\.zip$`);

/** What a path below `/api/files/` names, already decoded; null when it can name nothing. */
export const parseFilePath = (path: string): FileName | null => {
  const report = REPORT.exec(path);
  if (report) return { kind: 'report', reportId: Number(report[1]), path: report[2]! };
  const attachment = ATTACHMENT.exec(path);
  if (attachment) return { kind: 'attachment', attachmentId: Number(attachment[1]) };
  const trace = TRACE.exec(path);
  return trace ? { kind: 'trace', traceId: Number(trace[1]) } : null;
};
