import type { ErrorBody, ImportReply } from '@assay/contract';
import { ApiError, urlOf } from '@assay/contract/request';
import { endpoints } from 'virtual:endpoints';

/** A file with the name that it is sent under, which has the folders it was dropped with. */
export interface NamedFile {
  readonly name: string;
  readonly file: File;
}

export interface Import {
  readonly projectName: string;
  readonly branch: string;
  readonly files: readonly NamedFile[];
  /** Whether to take what can be read of a damaged report. */
  readonly incomplete: boolean;
}

/** Sends reports and tells how much has gone, from 0 to 1: `fetch` cannot. */
export const sendReports = (
  { projectName, branch, files, incomplete }: Import,
  onSent: (share: number) => void,
  signal: AbortSignal,
): Promise<ImportReply> =>
  new Promise((resolve, reject) => {
    const query = { projectName, branch: branch || undefined, incomplete: incomplete || undefined };
    const form = new FormData();
    for (const { name, file } of files) form.append('file', file, name);
    const request = new XMLHttpRequest();
    request.open('POST', urlOf(endpoints.importReports, {}, query));
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total));
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(request.response as ImportReply);
      else reject(new ApiError(request.status, request.response as ErrorBody | null));
    });
    request.addEventListener('error', () => reject(new TypeError('The request failed')));
    request.addEventListener('abort', () => reject(new DOMException('The import was cancelled', 'AbortError')));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
