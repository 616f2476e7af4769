import { expect, it } from 'vitest';
import { comparePixels, type Pixels } from './compare-pixels.ts';

type Colour = readonly [red: number, green: number, blue: number, opacity: number];
const WHITE: Colour = [255, 255, 255, 255];
const BLACK: Colour = [0, 0, 0, 255];

const pixels = (width: number, ...colours: readonly Colour[]): Pixels => ({
  width,
  height: colours.length / width,
  data: new Uint8ClampedArray(colours.flat()),
});

it('counts what one can see and what one hardly can, and marks both', () => {
  const found = comparePixels(pixels(3, WHITE, WHITE, BLACK), pixels(3, BLACK, [250, 255, 255, 255], BLACK));
  expect(found).toMatchObject({ width: 3, height: 1, changed: 1, slight: 1 });
  const [first, second, third] = [0, 4, 8].map((at) => [...found.data.subarray(at, at + 3)]);
  expect(new Set([String(first), String(second), String(third)]).size).toBe(3);
  expect(third![0]).toBe(third![1]);
});

it('takes what is transparent as white', () => {
  expect(comparePixels(pixels(1, [0, 0, 0, 0]), pixels(1, WHITE))).toMatchObject({ changed: 0, slight: 0 });
});

it('counts every pixel that only one of them has, and none that neither has', () => {
  const wide = pixels(2, WHITE, WHITE);
  const high = pixels(1, WHITE, WHITE);
  expect(comparePixels(wide, high)).toMatchObject({ width: 2, height: 2, changed: 2, slight: 0 });
});
