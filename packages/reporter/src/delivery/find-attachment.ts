import { statSync } from 'node:fs';
import { type Attachment, type FoundAttachment, GONE } from '@assay/import/attachments';

type Facts = Pick<Attachment, 'attempt' | 'name' | 'contentType'>;

export const attachedFile = (facts: Facts, path: string): FoundAttachment => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return { ...facts, path, ...(stats?.isFile() ? { sizeBytes: stats.size } : { missing: GONE }) };
};

export const attachedBody = (facts: Facts, body: Uint8Array): FoundAttachment => ({
  ...facts,
  path: facts.name,
  body,
  sizeBytes: body.length,
});
