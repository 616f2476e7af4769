import { type Attachment, outcomeOf } from '@assay/contract';
import type { Attempt } from './attempts.ts';

/** An attempt with its attachments. */
export interface AttemptEvidence {
  /** From 1. */
  readonly number: number;
  /** Null where nothing is known of it but its attachments. */
  readonly attempt: Attempt | null;
  readonly attachments: readonly Attachment[];
  /** Whether the error of the result is its error, and its attachments are shown with that. */
  readonly isOfError: boolean;
}

/** Every attempt that the result lists, then those that only attachments name. */
export const evidenceOf = (
  error: string | null,
  attempts: readonly Attempt[],
  attachments: readonly Attachment[],
): AttemptEvidence[] => {
  const ofError = error ? attemptOfError(error, attempts, attachments) : null;
  const byNumber = Map.groupBy(attachments, ({ attempt }) => attempt + 1);
  const listed = attempts.map((attempt): AttemptEvidence => {
    const { number } = attempt;
    const own = byNumber.get(number) ?? [];
    byNumber.delete(number);
    return { number, attempt, attachments: own, isOfError: number === ofError };
  });
  const named = [...byNumber].map(([number, own]): AttemptEvidence => ({
    number,
    attempt: null,
    attachments: own,
    isOfError: number === ofError,
  }));
  return [...listed, ...named.toSorted((a, b) => a.number - b.number)];
};

/** The last attempt with just that error, else the last that failed, else the last of all. */
const attemptOfError = (
  error: string,
  attempts: readonly Attempt[],
  attachments: readonly Attachment[],
): number | undefined => {
  const told =
    attempts.findLast((attempt) => attempt.error === error) ??
    attempts.findLast(({ status }) => status !== null && outcomeOf(status) === 'failed') ??
    attempts.at(-1);
  return (
    told?.number ??
    attachments.reduce<number | undefined>((last, { attempt }) => Math.max(last ?? 0, attempt + 1), undefined)
  );
};
