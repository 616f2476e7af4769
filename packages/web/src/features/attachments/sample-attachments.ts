import type { Attachment } from '@assay/contract';

export const sampleAttachment = (id: number, overrides: Partial<Attachment> = {}): Attachment => ({
  id,
  name: `shot-${id}.png`,
  contentType: 'image/png',
  path: `attachments/${id}`,
  size: 34_200,
  attempt: 0,
  width: 1280,
  height: 720,
  ...overrides,
});
