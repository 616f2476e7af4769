import type { FoundAttachment } from '@assay/import/attachments';
import type { TestCase } from '@playwright/test/reporter';
import { attachedBody, attachedFile } from '../delivery/find-attachment.ts';

/** What the attempts of a test left behind, but for traces, and for what reporters do not list. */
export const attachmentsOf = ({ results }: TestCase): FoundAttachment[] =>
  results.flatMap(({ retry, attachments }) =>
    attachments.flatMap(({ name, contentType, path, body }) => {
      if (name === 'trace' || name.startsWith('_')) return [];
      const facts = { attempt: retry, name, contentType };
      if (path) return [attachedFile(facts, path)];
      return body ? [attachedBody(facts, body)] : [];
    }),
  );
