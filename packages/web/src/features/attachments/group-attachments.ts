import type { Attachment } from '@assay/contract';
import { type Kind, kindOf } from './kinds.ts';

/** Two pictures of one thing, and what differs where the sender told it. */
export interface Comparison {
  /** What their names have in common. */
  readonly name: string;
  /** What `before` is: without an expected one Playwright compares with the picture before. */
  readonly against: 'Expected' | 'Previous';
  readonly before: Attachment;
  readonly actual: Attachment;
  readonly diff: Attachment | null;
}

export interface TextComparison {
  readonly name: string;
  readonly expected: Attachment;
  readonly actual: Attachment;
}

/** The attachments of an attempt by how they are shown, each once and in the order in which they were sent. */
export interface Grouped {
  /** Pictures and videos. */
  readonly media: readonly Attachment[];
  readonly comparisons: readonly Comparison[];
  readonly textComparisons: readonly TextComparison[];
  readonly texts: readonly Attachment[];
  readonly files: readonly Attachment[];
}

const ROLES = ['expected', 'actual', 'diff', 'previous'] as const;
type Role = (typeof ROLES)[number];
/** Those of one comparison; a second one of the same name is another. */
type Together = Partial<Record<Role, Attachment>> & { readonly stem: string };

const PART = /^(.*)-(expected|actual|diff|previous)(?:\.[^./\\]{1,12})?$/is;

export const groupAttachments = (attachments: readonly Attachment[]): Grouped => {
  const comparisons: Comparison[] = [];
  const textComparisons: TextComparison[] = [];
  const paired = new Set<Attachment>();
  for (const { stem: name, expected, actual, diff, previous } of findTogether(attachments, 'picture')) {
    const before = expected ?? previous;
    if (!before || !actual) continue;
    comparisons.push({ name, against: expected ? 'Expected' : 'Previous', before, actual, diff: diff ?? null });
    for (const part of [before, actual, diff]) if (part) paired.add(part);
  }
  for (const { stem: name, expected, actual } of findTogether(attachments, 'text')) {
    if (!expected || !actual) continue;
    textComparisons.push({ name, expected, actual });
    paired.add(expected).add(actual);
  }
  const rest = (...kinds: readonly Kind[]): Attachment[] =>
    attachments.filter((attachment) => !paired.has(attachment) && kinds.includes(kindOf(attachment)));
  return {
    media: rest('picture', 'video'),
    comparisons,
    textComparisons,
    texts: rest('text'),
    files: rest('file'),
  };
};

const findTogether = (attachments: readonly Attachment[], kind: Kind): Together[] => {
  const found: Together[] = [];
  for (const attachment of attachments) {
    const [, stem, word] = PART.exec(attachment.name) ?? [];
    if (stem === undefined || kindOf(attachment) !== kind) continue;
    const role = word!.toLowerCase() as Role;
    const open = found.find((other) => other.stem === stem && other[role] === undefined);
    if (open) open[role] = attachment;
    else found.push({ stem, [role]: attachment });
  }
  return found;
};

/** What a viewer goes through. */
export type Viewable =
  | { readonly kind: 'picture' | 'video'; readonly attachment: Attachment }
  | { readonly kind: 'comparison'; readonly comparison: Comparison };

/** In the order of the page. */
export const viewablesOf = ({ media, comparisons }: Grouped): Viewable[] => [
  ...media.map((attachment) => ({ kind: kindOf(attachment) as 'picture' | 'video', attachment })),
  ...comparisons.map((comparison) => ({ kind: 'comparison' as const, comparison })),
];

/** The attachments that an address may name to have it opened; the first is the one it is called by. */
export const idsOf = (viewable: Viewable): number[] => {
  if (viewable.kind !== 'comparison') return [viewable.attachment.id];
  const { before, actual, diff } = viewable.comparison;
  return [actual, before, diff].flatMap((part) => (part ? [part.id] : []));
};
