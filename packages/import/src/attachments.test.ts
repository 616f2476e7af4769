import type { SubmittedCase } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { DEFAULT_ATTACHMENT_RULES, type FoundAttachment, GONE, createAttachmentChooser } from './attachments.ts';

const MB = 1024 * 1024;
const FAILED: SubmittedCase = { title: 'pays', status: 'failed', duration: 5 };

const found = (name: string, sizeBytes: number, more: Partial<FoundAttachment> = {}): FoundAttachment => ({
  attempt: 0,
  name,
  contentType: 'text/plain',
  path: `/out/${name}`,
  sizeBytes,
  ...more,
});

const choose = (rules: Partial<typeof DEFAULT_ATTACHMENT_RULES>) =>
  createAttachmentChooser({ ...DEFAULT_ATTACHMENT_RULES, ...rules });

const namesOf = (attachments: readonly { readonly name: string }[]): string[] => attachments.map(({ name }) => name);

describe('which attachments are sent', () => {
  it.each([
    ['failed', ['failed', 'flaky', 'timedOut']],
    ['all', ['passed', 'skipped', 'failed', 'flaky', 'timedOut']],
    ['off', []],
  ] as const)('%s: those of these tests', (wanted, expected) => {
    const chooser = choose({ wanted });
    const tests = ['passed', 'skipped', 'failed', 'flaky', 'timedOut'].filter((outcome) => {
      const status = outcome === 'flaky' ? 'passed' : outcome;
      const testCase = { ...FAILED, status, retries: outcome === 'flaky' ? 1 : 0 };
      return chooser.choose(testCase, [found('a', 1)]).attachments.length > 0;
    });
    expect(tests).toEqual(expected);
  });

  it('what a limit leaves out is told in its attempt, with the reason', () => {
    const chooser = choose({ perTest: 2, fileBytes: 2 * MB, runBytes: 3 * MB });
    const attempts = [
      { retry: 0, status: 'failed' },
      { retry: 1, status: 'failed' },
    ];
    const first = chooser.choose({ ...FAILED, retries: 1, attempts }, [
      found('large', 2 * MB + 1),
      { attempt: 0, name: 'gone', contentType: 'text/plain', path: '/out/gone', missing: GONE },
      found('note', 2 * MB),
      found('second', 1, { attempt: 1 }),
      found('third', 1, { attempt: 1 }),
    ]);
    expect(namesOf(first.attachments)).toEqual(['note', 'second']);
    expect(first.testCase.attempts).toEqual([
      {
        retry: 0,
        status: 'failed',
        leftOut: [
          { name: 'large', contentType: 'text/plain', size: 2 * MB + 1, why: 'larger than 2 MB' },
          { name: 'gone', contentType: 'text/plain', size: null, why: 'its file is gone' },
        ],
      },
      {
        retry: 1,
        status: 'failed',
        leftOut: [{ name: 'third', contentType: 'text/plain', size: 1, why: 'more than 2 attachments of one test' }],
      },
    ]);
    const tooMuch = chooser.choose(FAILED, [found('more', MB)]);
    expect(tooMuch.attachments).toEqual([]);
    expect(tooMuch.testCase.attempts).toMatchObject([
      { retry: 0, status: 'failed', leftOut: [{ name: 'more', why: 'more than 3 MB of attachments of one run' }] },
    ]);
    chooser.takeBack(first);
    expect(namesOf(chooser.choose(FAILED, [found('more', MB)]).attachments)).toEqual(['more']);
  });

  it('pictures come first where there are too many, and of very many only some are told', () => {
    const many = Array.from({ length: 300 }, (_, at) => found(`note ${at}`, 1));
    const { attachments, testCase } = choose({ perTest: 3 }).choose(FAILED, [
      ...many,
      found('screenshot', 9, { contentType: 'image/png' }),
    ]);
    expect(namesOf(attachments)).toEqual(['note 0', 'note 1', 'screenshot']);
    const [{ leftOut }] = testCase.attempts as [{ leftOut: { name: string; size: number }[] }];
    expect(leftOut).toHaveLength(200);
    expect(leftOut.at(-1)).toMatchObject({ name: '99 more', size: 99 });
  });

  it('the service takes no more than 500 of a test, whatever the option says', () => {
    const many = Array.from({ length: 600 }, (_, at) => found(`note ${at}`, 1));
    expect(choose({ perTest: 1_000 }).choose(FAILED, many).attachments).toHaveLength(500);
  });
});
