import { basename, extname } from 'node:path';
import type { FoundAttachment } from '@assay/import/attachments';
import type { TestCase } from 'vitest/node';
import { attachedBody, attachedFile } from '../delivery/find-attachment.ts';
import { type Tellable, annotationsOf } from './build-cases.ts';

/** As versions from 3.2 on have them; what not every version has is optional. */
interface Attached {
  readonly path?: string;
  readonly contentType?: string;
  readonly body?: string | Uint8Array | undefined;
  readonly bodyEncoding?: string;
  /** Of screenshots that were compared. */
  readonly name?: unknown;
  readonly originalPath?: unknown;
}

interface Annotation {
  readonly type: string;
  /** Tests may annotate with anything. */
  readonly message: unknown;
  readonly attachment?: Attached;
}

interface Artifact {
  readonly type: string;
  readonly attachments?: readonly Attached[];
  readonly retryIndex?: number;
}

/** Which are told otherwise. */
const NOT_ATTACHED = new Set(['internal:annotation', 'internal:browserTrace']);

export const artifactsOf = (test: TestCase): readonly Artifact[] =>
  (test as { artifacts?: () => readonly Artifact[] }).artifacts?.call(test) ?? [];

/** What annotations and artifacts bring along. Vitest does not tell the attempt of most, and the last one counts. */
export const attachmentsOf = (tellable: Tellable): FoundAttachment[] => {
  if (tellable.type !== 'test') return [];
  const last = tellable.diagnostic()?.retryCount ?? 0;
  const annotated = annotationsOf(tellable).flatMap(({ type, message, attachment }: Annotation) =>
    type === 'traces' || !attachment ? [] : foundOf(attachment, String(message), last),
  );
  let comparisons = 0;
  const recorded = artifactsOf(tellable).flatMap(({ type, attachments = [], retryIndex }) => {
    if (NOT_ATTACHED.has(type)) return [];
    const isComparison = type === 'internal:toMatchScreenshot';
    if (isComparison) comparisons++;
    return attachments.flatMap((attached) =>
      foundOf(
        attached,
        isComparison ? comparedName(attached, comparisons) : nameOf(attached, type),
        retryIndex ?? last,
      ),
    );
  });
  return [...annotated, ...recorded];
};

const comparedName = ({ name }: Attached, number: number): string =>
  `screenshot${number > 1 ? ` ${number}` : ''}-${name === 'reference' ? 'expected' : String(name)}`;

const nameOf = ({ originalPath, path }: Attached, type: string): string =>
  typeof originalPath === 'string' ? basename(originalPath) : path ? basename(path) : type;

const foundOf = (attached: Attached, told: string, attempt: number): FoundAttachment[] => {
  const { path, contentType = 'application/octet-stream', body, bodyEncoding } = attached;
  if (path && /^https?:/.test(path)) return [];
  const extension = path ? extname(path) : '';
  const facts = { attempt, contentType, name: told.endsWith(extension) ? told : `${told}${extension}` };
  if (path) return [attachedFile(facts, path)];
  if (body === undefined) return [];
  const isText = typeof body === 'string';
  return [attachedBody(facts, isText ? Buffer.from(body, bodyEncoding === 'utf-8' ? 'utf8' : 'base64') : body)];
};
