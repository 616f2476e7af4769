import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { countOf, formatCount, formatShare } from '../../format/number.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { comparePixels, type PixelDifference, type Pixels } from './compare-pixels.ts';
import type { Comparison } from './group-attachments.ts';
import { fileUrl } from './kinds.ts';
import styles from './comparison.module.css';

/** Both and their difference are in memory at once, at four bytes a pixel. */
const MOST_PIXELS = 12_000_000;

/** Where no difference was sent. */
export const ComputedDifference = ({ comparison: { before, actual } }: { readonly comparison: Comparison }) => {
  const { data, isError } = useQuery({
    queryKey: ['difference', before.path, actual.path],
    queryFn: async () => differenceOf(await readPicture(before.path), await readPicture(actual.path)),
    // They never change, and are large.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (isError) return <p className={styles['note']}>The difference cannot be computed: a picture could not be read.</p>;
  if (data === undefined) return <Skeleton rows={4} />;
  if (data === null) {
    return (
      <p className={styles['note']}>
        No difference was sent, and pictures of more than {formatCount(MOST_PIXELS / 1e6)} megapixels are not compared
        here.
      </p>
    );
  }
  return (
    <figure className={styles['stack']}>
      <Drawn {...data} />
      <figcaption>{wordsOf(data)} Computed here, as no difference was sent.</figcaption>
    </figure>
  );
};

const wordsOf = ({ changed, slight, width, height }: PixelDifference): string => {
  if (changed + slight === 0) return 'Every pixel is equal.';
  const all = width * height;
  const much = `${formatCount(changed)} of ${countOf(all, 'pixel')} ${changed === 1 ? 'differs' : 'differ'} visibly (${formatShare(changed / all)}), marked red`;
  return slight === 0 ? `${much}.` : `${much}; ${formatCount(slight)} slightly, marked yellow.`;
};

const Drawn = ({ width, height, data }: Pixels) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    canvas.current!.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  }, [width, height, data]);
  return <canvas ref={canvas} width={width} height={height} role="img" aria-label="Difference" />;
};

const readPicture = async (path: string): Promise<HTMLImageElement> => {
  const picture = new Image();
  picture.src = fileUrl(path);
  await picture.decode();
  return picture;
};

/** Null where they are too large. */
const differenceOf = (before: HTMLImageElement, actual: HTMLImageElement): PixelDifference | null => {
  const width = Math.max(before.naturalWidth, actual.naturalWidth);
  const height = Math.max(before.naturalHeight, actual.naturalHeight);
  return width * height > MOST_PIXELS ? null : comparePixels(pixelsOf(before), pixelsOf(actual));
};

const pixelsOf = (picture: HTMLImageElement): Pixels => {
  const canvas = new OffscreenCanvas(Math.max(1, picture.naturalWidth), Math.max(1, picture.naturalHeight));
  const context = canvas.getContext('2d')!;
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
};
