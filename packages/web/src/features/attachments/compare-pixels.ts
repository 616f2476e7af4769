export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel, row by row. */
  readonly data: Uint8ClampedArray;
}

export interface PixelDifference extends Pixels {
  /** Pixels that differ so that one can see it, or that only one of the two has. */
  readonly changed: number;
  /** Pixels that differ by less. */
  readonly slight: number;
}

/** Of a colour's 0 to 255, on white. */
const VISIBLE = 25;
const CHANGED = [214, 30, 48] as const;
const SLIGHT = [224, 160, 33] as const;
/** How pale that is drawn which is equal. */
const PALE = 0.8;

/** Where two pictures differ, drawn over the pale second one; they lie on each other by their top left corners. */
export const comparePixels = (before: Pixels, actual: Pixels): PixelDifference => {
  const width = Math.max(before.width, actual.width);
  const height = Math.max(before.height, actual.height);
  const data = new Uint8ClampedArray(width * height * 4);
  let [changed, slight] = [0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const distance = distanceAt(before, actual, x, y);
      if (distance > VISIBLE) changed++;
      else if (distance > 0) slight++;
      const grey = distance === 0 ? paleAt(actual, x, y) : 0;
      const mark = distance > VISIBLE ? CHANGED : SLIGHT;
      for (let part = 0; part < 3; part++) data[at + part] = distance === 0 ? grey : mark[part]!;
      data[at + 3] = 255;
    }
  }
  return { width, height, data, changed, slight };
};

const has = ({ width, height }: Pixels, x: number, y: number): boolean => x < width && y < height;

const distanceAt = (before: Pixels, actual: Pixels, x: number, y: number): number => {
  if (!has(before, x, y) || !has(actual, x, y)) return has(before, x, y) || has(actual, x, y) ? 255 : 0;
  if (isEqualAt(before, actual, x, y)) return 0;
  let largest = 0;
  for (let part = 0; part < 3; part++) {
    largest = Math.max(largest, Math.abs(partAt(before, x, y, part) - partAt(actual, x, y, part)));
  }
  return largest;
};

/** Most pixels of most pictures are, which is told without counting with them. */
const isEqualAt = (before: Pixels, actual: Pixels, x: number, y: number): boolean => {
  const [left, right] = [(y * before.width + x) * 4, (y * actual.width + x) * 4];
  for (let part = 0; part < 4; part++) if (before.data[left + part] !== actual.data[right + part]) return false;
  return true;
};

const partAt = ({ data, width }: Pixels, x: number, y: number, part: number): number => {
  const at = (y * width + x) * 4;
  const opacity = data[at + 3]! / 255;
  return data[at + part]! * opacity + 255 * (1 - opacity);
};

const paleAt = (picture: Pixels, x: number, y: number): number => {
  if (!has(picture, x, y)) return 255;
  const grey = 0.3 * partAt(picture, x, y, 0) + 0.59 * partAt(picture, x, y, 1) + 0.11 * partAt(picture, x, y, 2);
  return grey + (255 - grey) * PALE;
};
