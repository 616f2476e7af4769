/** Adds a whole number from 0 to 2 ** 53, seven bits a byte, the lowest first. */
export const writeVarint = (bytes: number[], value: number): void => {
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  bytes.push(left);
};

/** Reads one, and moves on behind it. */
export const readVarint = (bytes: Uint8Array, place: { at: number }): number => {
  let value = 0;
  for (let unit = 1; ; unit *= 128) {
    const byte = bytes[place.at++]!;
    value += (byte & 127) * unit;
    if (!(byte >= 128)) return value;
  }
};
