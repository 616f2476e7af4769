import { realpathSync, statSync } from 'node:fs';
import { dirname, extname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { SubmittedCase } from '@assay/contract';
import {
  type AttachmentFile,
  type AttachmentRules,
  type FoundAttachment,
  GONE,
  attachmentsIn,
  createAttachmentChooser,
} from './attachments.ts';
import { type Fields, fieldsOf, textOr } from './json.ts';

/** An attachment in the words of a report: a file, or what it contains as base64. */
export interface ToldAttachment {
  readonly attempt: number;
  readonly name: string;
  readonly contentType: string;
  readonly path?: string | undefined;
  readonly base64?: string | undefined;
}

/** Of the case at this place, from 0. */
export interface ImportedAttachment extends ToldAttachment {
  readonly caseIndex: number;
  /** Of a zip: the file in it. */
  readonly entry?: { readonly name: string; readonly sizeBytes: number } | undefined;
}

export type AttachmentOfRun = FoundAttachment & { readonly caseIndex: number };

/** Finds what a report calls by a path; a text is why it is not taken. */
export type FindAttached = (path: string, report: { readonly path: string; readonly name: string }) => string | Place;

interface Place {
  readonly path: string;
  readonly sizeBytes: number;
}

/** What a list of attachments tells, as most formats have them. */
export const readAttachment = (value: unknown, attempt: number): ToldAttachment => {
  const told: Fields = fieldsOf(value);
  const path = textOr(told['path'], '') || undefined;
  const name = textOr(told['name'], '') || path?.split(/[\\/]/).at(-1) || 'attachment';
  return {
    attempt,
    name,
    contentType: textOr(told['contentType'], '') || contentTypeOf(path ?? name),
    path,
    base64: textOr(told['base64'], textOr(told['body'], '')) || undefined,
  };
};

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webm: 'video/webm',
  webp: 'image/webp',
  xml: 'application/xml',
  zip: 'application/zip',
};

const contentTypeOf = (name: string): string =>
  TYPES[extname(name).slice(1).toLowerCase()] ?? 'application/octet-stream';

/** Of all attachments inside of one report: they are in memory. */
const MAX_INSIDE_BYTES = 64 * 1024 * 1024;

export const findAttachments = (
  told: readonly ImportedAttachment[],
  report: { readonly path: string; readonly name: string },
  find: FindAttached,
): AttachmentOfRun[] => {
  let inside = 0;
  return told.map(({ path = '', base64, entry, ...facts }): AttachmentOfRun => {
    if (entry !== undefined) return { ...facts, path: report.path, entry, sizeBytes: entry.sizeBytes };
    if (base64 === undefined) {
      const place = find(path, report);
      return typeof place === 'string' ? { ...facts, path, missing: place } : { ...facts, ...place };
    }
    const sizeBytes = Math.floor((base64.length * 3) / 4);
    inside += sizeBytes;
    if (inside > MAX_INSIDE_BYTES) return { ...facts, path, missing: 'more than 64 MB inside of one report' };
    const body = Buffer.from(base64, 'base64');
    return { ...facts, path: facts.name, body, sizeBytes: body.length };
  });
};

/**
 * A report may name any file of this machine, such as one with a secret: only what is beside the report or in the repository
 * is taken, and nothing hidden.
 */
export const findFileOf =
  (root: string): FindAttached =>
  (path, report) => {
    try {
      const folder = dirname(report.path);
      const file = realpathSync(resolve(folder, path));
      if (![folder, root].some((base) => isOpenlyBelow(realpathSync(base), file))) return HIDDEN;
      const stats = statSync(file);
      return stats.isFile() ? { path: file, sizeBytes: stats.size } : GONE;
    } catch {
      return GONE;
    }
  };

const HIDDEN = 'hidden or outside of the repository';

const isOpenlyBelow = (folder: string, file: string): boolean => {
  const path = relative(folder, file);
  return path !== '' && !isAbsolute(path) && !path.split(sep).some((part) => part.startsWith('.'));
};

/** The attachments of a run that are sent, and its cases, which tell of the others. */
export const chooseAttachments = (
  {
    cases,
    attachments,
  }: { readonly cases: readonly SubmittedCase[]; readonly attachments: readonly AttachmentOfRun[] },
  rules: AttachmentRules,
): { readonly cases: readonly SubmittedCase[]; readonly attachments: readonly AttachmentFile[] } => {
  if (attachments.length === 0) return { cases, attachments: [] };
  const chooser = createAttachmentChooser(rules);
  const found = new Map<number, AttachmentOfRun[]>();
  for (const one of attachments) {
    const ofCase = found.get(one.caseIndex);
    if (ofCase === undefined) found.set(one.caseIndex, [one]);
    else ofCase.push(one);
  }
  const chosen = cases.map((testCase, at) => chooser.choose(testCase, found.get(at) ?? []));
  return { cases: chosen.map(({ testCase }) => testCase), attachments: attachmentsIn(chosen) };
};
