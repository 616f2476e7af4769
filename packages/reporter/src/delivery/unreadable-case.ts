import type { SubmittedCase } from '@assay/contract';
import { MAX_TITLE_LENGTH } from '@assay/contract/limits';

/** A test that cannot be read is told as far as it can be: it must not take the others with it. */
export const unreadableCase = (title: string, status: string, error: unknown): SubmittedCase => {
  const why = `The result of this test could not be read: ${String(error)}`;
  return {
    title: title.slice(0, MAX_TITLE_LENGTH) || 'untitled',
    status,
    ...(status === 'failed' ? { error: why } : {}),
    annotations: [{ type: 'unreadable', description: why }],
  };
};
