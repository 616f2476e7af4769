import type { SubmittedCase } from '@assay/contract';
import { MAX_ATTACHMENTS_PER_CASE, MAX_ATTEMPTS } from '@assay/contract/limits';
import { isFailure } from './build-case.ts';

/** What an attempt of a test left behind: a file, one in a zip, or what is in memory. */
export interface Attachment {
  /** From 0. */
  readonly attempt: number;
  readonly name: string;
  readonly contentType: string;
  /** What is in memory has its name here. */
  readonly path: string;
  /** Of a zip: the file in it. */
  readonly entry?: { readonly name: string; readonly sizeBytes: number } | undefined;
  readonly body?: Uint8Array | undefined;
}

/** Of the case at this place, from 0. */
export interface AttachmentFile extends Attachment {
  readonly caseIndex: number;
}

/** Its size, or why it cannot be sent. */
export type FoundAttachment = Attachment & ({ readonly sizeBytes: number } | { readonly missing: string });

export const GONE = 'its file is gone';

/** Which attachments are sent. */
export interface AttachmentRules {
  /** `failed`: those of tests that failed or were flaky. */
  readonly wanted: 'all' | 'failed' | 'off';
  readonly perTest: number;
  readonly fileBytes: number;
  readonly runBytes: number;
}

const MB = 1024 * 1024;

export const DEFAULT_ATTACHMENT_RULES: AttachmentRules = {
  wanted: 'failed',
  perTest: 50,
  fileBytes: 20 * MB,
  runBytes: 500 * MB,
};

/** Chooses the attachments of one run, test by test. */
export interface AttachmentChooser {
  /** Whether any of this test are sent; nobody need look for them otherwise. */
  wants(testCase: SubmittedCase): boolean;
  /** Those that are sent, and the case, which tells of those that are not. */
  choose(testCase: SubmittedCase, found: readonly FoundAttachment[]): Chosen;
  /** Those of a test that is told anew. */
  takeBack(chosen: Chosen): void;
}

export interface Chosen {
  readonly testCase: SubmittedCase;
  readonly attachments: readonly Attachment[];
  readonly sizeBytes: number;
}

export const createAttachmentChooser = ({
  wanted,
  perTest,
  fileBytes,
  runBytes,
}: AttachmentRules): AttachmentChooser => {
  const most = Math.min(perTest, MAX_ATTACHMENTS_PER_CASE);
  let bytesLeft = runBytes;

  const wants = ({ status, retries }: SubmittedCase): boolean =>
    wanted === 'all' || (wanted === 'failed' && (isFailure(status) || (retries ?? 0) > 0));

  return {
    wants,
    choose(testCase, found) {
      if (found.length === 0 || !wants(testCase)) return { testCase, attachments: [], sizeBytes: 0 };
      const chosen = new Set<FoundAttachment>();
      const leftOut: Told[] = [];
      let sizeBytes = 0;
      const whyNot = (one: FoundAttachment): string | null => {
        if ('missing' in one) return one.missing;
        if (one.attempt >= MAX_ATTEMPTS) return `of more than ${MAX_ATTEMPTS} attempts`;
        if (one.sizeBytes > fileBytes) return `larger than ${fileBytes / MB} MB`;
        if (chosen.size >= most) return `more than ${most} attachments of one test`;
        return one.sizeBytes > bytesLeft ? `more than ${runBytes / MB} MB of attachments of one run` : null;
      };
      for (const one of found.length > most ? picturesFirst(found) : found) {
        const why = whyNot(one);
        if (why !== null) {
          leftOut.push({ ...one, why });
          continue;
        }
        const size = 'sizeBytes' in one ? one.sizeBytes : 0;
        bytesLeft -= size;
        sizeBytes += size;
        chosen.add(one);
      }
      const attachments = found.filter((one) => chosen.has(one)).map(withoutSize);
      return { testCase: tellLeftOut(testCase, leftOut), attachments, sizeBytes };
    },
    takeBack: ({ sizeBytes }) => void (bytesLeft += sizeBytes),
  };
};

/** Of all cases of a run, in their order. */
export const attachmentsIn = (chosen: readonly Chosen[]): AttachmentFile[] =>
  chosen.flatMap(({ attachments }, caseIndex) => attachments.map((attachment) => ({ ...attachment, caseIndex })));

const withoutSize = ({ attempt, name, contentType, path, entry, body }: FoundAttachment): Attachment => ({
  attempt,
  name,
  contentType,
  path,
  ...(entry && { entry }),
  ...(body && { body }),
});

/** They tell most, and Playwright adds them last. */
const picturesFirst = (found: readonly FoundAttachment[]): FoundAttachment[] => {
  const isPicture = ({ contentType }: FoundAttachment): boolean => /^(?:image|video)\//.test(contentType);
  return [...found.filter(isPicture), ...found.filter((one) => !isPicture(one))];
};

type Told = FoundAttachment & { readonly why: string };

const MOST_TOLD = 200;

/** In the attempt that each is of, as `leftOut`. */
const tellLeftOut = (testCase: SubmittedCase, leftOut: readonly Told[]): SubmittedCase => {
  if (leftOut.length === 0) return testCase;
  const { status, duration } = testCase;
  const attempts = (testCase.attempts as { retry?: number }[] | undefined) ?? [
    { retry: 0, status, duration: duration ?? null },
  ];
  const last = attempts.length - 1;
  const told = attempts.map((attempt, at) => {
    const ofAttempt = leftOut.filter((one) => {
      const found = attempts.findIndex(({ retry }, index) => (retry ?? index) === one.attempt);
      return at === (found === -1 ? last : found);
    });
    return ofAttempt.length === 0 ? attempt : { ...attempt, leftOut: listLeftOut(ofAttempt) };
  });
  return { ...testCase, attempts: told };
};

const listLeftOut = (leftOut: readonly Told[]): object[] => {
  const shown = leftOut.length > MOST_TOLD ? leftOut.slice(0, MOST_TOLD - 1) : leftOut;
  const listed = shown.map(({ name, contentType, why, ...one }) => ({
    name: name.slice(0, LONGEST_NAME),
    contentType: contentType.slice(0, LONGEST_NAME),
    size: 'sizeBytes' in one ? one.sizeBytes : null,
    why,
  }));
  const rest = leftOut.slice(shown.length);
  if (rest.length === 0) return listed;
  const size = rest.reduce((sum, one) => sum + ('sizeBytes' in one ? one.sizeBytes : 0), 0);
  return [...listed, { name: `${rest.length} more`, contentType: '', size, why: rest[0]!.why }];
};

const LONGEST_NAME = 200;
