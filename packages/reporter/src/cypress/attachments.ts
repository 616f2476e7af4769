import { basename, extname } from 'node:path';
import type { FoundAttachment } from '@assay/import/attachments';
import { attachedFile } from '../delivery/find-attachment.ts';
import type { CypressScreenshot, CypressSpecResults, CypressTest } from './types.ts';

/**
 * The screenshots of each test, in the order of the tests. Before version 13 Cypress tells the test of each; later only by
 * the name of the file, and not of those that a test has named itself.
 */
export const screenshotsOf = ({ tests, screenshots }: CypressSpecResults): FoundAttachment[][] => {
  const all = tests ?? [];
  const found = all.map((): FoundAttachment[] => []);
  for (const screenshot of screenshots ?? []) {
    const at = all.findIndex((test) => isOf(screenshot, test));
    if (at === -1) continue;
    const { path } = screenshot;
    const contentType = `image/${extname(path).slice(1) || 'png'}`;
    found[at]!.push(attachedFile({ attempt: attemptOf(screenshot), name: basename(path), contentType }, path));
  }
  return found;
};

const isOf = ({ testId, path }: CypressScreenshot, test: CypressTest): boolean => {
  if (testId && test.testId) return testId === test.testId;
  const title = plain(test.title.join(''));
  const name = plain(basename(path, extname(path)));
  return title !== '' && name.startsWith(title) && /^(?:failed)?(?:attempt\d+)?\d*$/.test(name.slice(title.length));
};

/** Cypress leaves out what a file system does not take. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const attemptOf = ({ testAttemptIndex, path }: CypressScreenshot): number =>
  testAttemptIndex ?? Math.max(0, Number(/\(attempt (\d{1,3})\)/.exec(basename(path))?.[1] ?? 1) - 1);
