import { buffer } from 'node:stream/consumers';
import { MAX_EMBEDDED_BYTES, MAX_EMBEDDED_PICTURES, splitResultId } from '@assay/contract';
import type { Context } from '../../context.ts';
import { createFileFinder } from '../files/find-file.ts';
import { openPictures } from '../files/pictures.ts';
import { readPlain } from '../files/read-plain.ts';

export interface EmbeddedPicture {
  readonly attempt: number;
  /** A `data:` address; null where it was left out. */
  readonly url: string | null;
}

export interface EmbeddedPictures {
  /** Of each attempt of a result that has any, one picture. */
  of(resultId: number): Promise<readonly EmbeddedPicture[]>;
  readonly leftOut: number;
}

/** What browsers show as a picture and nothing else. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp)$/;

/** Pictures of a run, the first so many and so large in all; the others are counted. */
export const openEmbeddedPictures = async (
  { database, queries, blobs }: Pick<Context, 'database' | 'queries' | 'blobs'>,
  runId: number,
): Promise<EmbeddedPictures> => {
  const pictures = await openPictures(queries, runId);
  const files = createFileFinder(database);
  let count = 0;
  let bytes = 0;
  let leftOut = 0;
  const read = async (id: number): Promise<string | null> => {
    const found = await files.findAttachment(id);
    const isWithin =
      found !== null &&
      SHOWN.test(found.contentType) &&
      count < MAX_EMBEDDED_PICTURES &&
      bytes + found.sizeBytes <= MAX_EMBEDDED_BYTES;
    if (!isWithin) {
      leftOut++;
      return null;
    }
    count++;
    bytes += found.sizeBytes;
    const content = await buffer(await readPlain(blobs, found));
    return `data:${found.contentType};base64,${content.toString('base64')}`;
  };
  return {
    async of(resultId) {
      const { index } = splitResultId(resultId);
      const ofResult = (await pictures.find({ from: index, to: index + 1 })).get(index) ?? [];
      const embedded: EmbeddedPicture[] = [];
      for (const { id, attempt } of ofResult.toReversed()) embedded.push({ attempt, url: await read(id) });
      return embedded;
    },
    get leftOut() {
      return leftOut;
    },
  };
};
