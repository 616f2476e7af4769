import { hash } from 'node:crypto';

/** Names an answer by what it says, where nothing else names the state that it depends on. */
export const etagOf = (text: string): string => `W/"${hash('sha256', text, 'base64url')}"`;

/** Whether the client's `If-None-Match` names this version. */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean => {
  if (ifNoneMatch === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
};
