import { MAX_ATTACHMENT_NAME_LENGTH } from '@assay/contract';
import { contentTypeOf } from './content-type.ts';

const UNNAMED = 'attachment';

/** The name of an attachment as the last part of a path: without folders and control characters. */
export const attachmentName = (given: string | undefined): string => {
  const name = (given ?? '')
    .replaceAll(/^.*[/\\]/gs, '')
    // Marks of direction would let a name pretend to have another extension.
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .toWellFormed()
    .trim();
  if (/^\.*$/.test(name)) return UNNAMED;
  if (name.length <= MAX_ATTACHMENT_NAME_LENGTH) return name;
  const extension = /\.\w{1,10}$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, MAX_ATTACHMENT_NAME_LENGTH - extension.length - 1).toWellFormed()}…${extension}`;
};

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,80}$/;
/** What senders say of everything. */
const VAGUE = new Set(['application/octet-stream', 'text/plain']);

/** The type that an attachment is said to have; where nothing is said, or nothing in particular, that of its name. */
export const attachmentType = (given: string, name: string): string => {
  const declared = given.trim().toLowerCase();
  if (TYPE.test(declared) && !VAGUE.has(declared)) return declared;
  const [byName] = contentTypeOf(name).split(';') as [string];
  return VAGUE.has(byName) && declared === 'text/plain' ? declared : byName;
};

export interface ServedType {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

const SHOWN = /^(?:image\/(?:png|apng|jpeg|gif|webp|avif|bmp|svg\+xml)|(?:video|audio)\/(?:webm|mp4|ogg|mpeg|wav))$/;
const PAGE = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT = /^text\/|[/+](?:json|xml|yaml)$|^application\/(?:x-)?(?:ndjson|yaml|javascript|toml)$/;

/** Nothing runs, nothing is loaded, and the document has no origin. */
const INERT = "sandbox; default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'";

/**
 * How to serve an attachment so that nothing in it runs, whatever it really is: the browser takes it for nothing else,
 * texts are shown as text, pages and drawings without scripts, and what browsers have programs of their own for is saved.
 */
export const servedType = (type: string): ServedType => {
  if (SHOWN.test(type)) return { contentType: type, headers: { 'content-security-policy': INERT } };
  if (PAGE.test(type)) {
    return { contentType: 'text/html; charset=utf-8', headers: { 'content-security-policy': INERT } };
  }
  if (TEXT.test(type)) {
    return { contentType: 'text/plain; charset=utf-8', headers: { 'content-security-policy': INERT } };
  }
  return {
    contentType: type === 'application/pdf' || type === 'application/zip' ? type : 'application/octet-stream',
    headers: { 'content-security-policy': INERT, 'content-disposition': 'attachment' },
  };
};
