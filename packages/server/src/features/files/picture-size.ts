import { type FileHandle, open } from 'node:fs/promises';
import { imageSize } from 'image-size';

export interface PictureSize {
  readonly width: number | null;
  readonly height: number | null;
}

export const NO_SIZE: PictureSize = { width: null, height: null };

/** Enough for the head of a picture with a preview and a colour profile before it. */
const HEAD_BYTES = 256 * 1024;

/** How many pixels a picture says it has; interfaces need to know before they show it. */
export const readPictureSize = async (file: string): Promise<PictureSize> => {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const { width, height } = imageSize(buffer.subarray(0, bytesRead));
    return isSize(width) && isSize(height) ? { width, height } : NO_SIZE;
  } catch {
    // Not a picture, whatever it is called.
    return NO_SIZE;
  } finally {
    await handle?.close();
  }
};

const isSize = (pixels: number): boolean => Number.isInteger(pixels) && pixels > 0 && pixels < 2 ** 31;
