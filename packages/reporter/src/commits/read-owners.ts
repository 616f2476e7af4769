import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_OWNERS_LENGTH } from '@assay/contract/limits';

/** Where GitHub and GitLab look, in this order. */
const PLACES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'];

export interface OwnersFile {
  readonly hash: string;
  readonly text: string;
}

export type FoundOwners =
  | { readonly ok: true; readonly file: OwnersFile | null }
  | { readonly ok: false; readonly why: string };

/** The CODEOWNERS file of a repository. Never rejects. */
export const readOwners = async (repository: string): Promise<FoundOwners> => {
  const place = PLACES.find((path) => existsSync(join(repository, path)));
  if (place === undefined) return { ok: true, file: null };
  try {
    const text = (await readFile(join(repository, place), 'utf8')).replace(/^\u{feff}/u, '');
    if (text.includes('\0')) return { ok: false, why: `${place} is not UTF-8` };
    if (text.length > MAX_OWNERS_LENGTH) {
      return { ok: false, why: `${place} has more than ${MAX_OWNERS_LENGTH} characters` };
    }
    return { ok: true, file: { hash: createHash('sha256').update(text).digest('hex'), text } };
  } catch (error) {
    return { ok: false, why: `${place} cannot be read: ${(error as Error).message}` };
  }
};
