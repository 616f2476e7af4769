export { type FilesImported, type FilesRead, type ImportedRun, importFiles } from './import-files.ts';
export type { TraceFile } from './imported.ts';
export { messageOf } from './json.ts';
export { type Told, submissionOf } from './submission.ts';
