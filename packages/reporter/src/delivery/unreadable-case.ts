import type { SubmittedCase } from '@assay/contract';

/** A test that cannot be read is told as far as it can be: it must not take the others with it. */
export const unreadableCase = (title: string, status: string, error: unknown): SubmittedCase => {
  const why = `The result of this test could not be read: ${String(error)}`;
  return {
    title: title.slice(0, 1_000) || 'untitled',
    status,
    ...(status === 'failed' ? { error: why } : {}),
    annotations: [{ type: 'unreadable', description: why }],
  };
};
