/* CRC-32 as polynomials over bits, the highest bit the power 0. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;
const X_TO_THE_8 = 0x00800000;

/**
 * What a CRC-32 contributes to that of a content in which so many bytes follow:
 * `crc32(a + b) === crcShifted(crc32(a), b.length) ^ crc32(b)`.
 */
export const crcShifted = (crc: number, bytes: number): number => {
  let power = ONE;
  let square = X_TO_THE_8;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(power, square);
    square = multiply(square, square);
  }
  return multiply(power, crc);
};

const multiply = (a: number, b: number): number => {
  let product = 0;
  let shifted = b;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= shifted;
    shifted = (shifted >>> 1) ^ (shifted & 1 ? POLYNOMIAL : 0);
  }
  return product >>> 0;
};
