export { type FindAttached, chooseAttachments } from './attached.ts';
export { type AttachmentFile, DEFAULT_ATTACHMENT_RULES } from './attachments.ts';
export { type FilesImported, type FilesRead, type ImportedRun, importFiles, readReports } from './import-files.ts';
export type { FoundFile } from './find-files.ts';
export { manageHeap } from './garbage.ts';
export type { TraceFile } from './imported.ts';
export { messageOf } from './json.ts';
export { planParts } from './parts.ts';
export { type Told, submissionOf } from './submission.ts';
