/** A stream of random numbers. Only exact arithmetic is used, so a stream is the same on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Both ends included. */
  integer(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
  normal(mean: number, deviation: number): number;
  /** A stream that depends on the seed and the label only, not on what was drawn before. */
  fork(label: number | string): Random;
}

const TWO_32 = 2 ** 32;
const SQRT_3 = 1.7320508075688772;

export const createRandom = (seed: number | string): Random => streamOf(0x6a09e667, 0xbb67ae85, seed);

const streamOf = (parentA: number, parentB: number, label: number | string): Random => {
  let keyA = parentA;
  let keyB = parentB;
  const absorb = (word: number): void => {
    keyA = scramble(keyA ^ word);
    keyB = scramble((Math.imul(keyB, 5) + 0x6546b64) ^ word);
  };
  if (typeof label === 'number' && Number.isSafeInteger(label)) {
    absorb(label | 0);
    absorb(Math.floor(label / TWO_32) | 0);
  } else {
    const text = String(label);
    for (let at = 0; at < text.length; at++) absorb(text.charCodeAt(at) + 1);
    absorb(~text.length);
  }

  // sfc32 by Chris Doty-Humphrey
  let a = keyA;
  let b = keyB;
  let c = 0x2545f491;
  let counter = 1;
  const word = (): number => {
    const out = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + out) | 0;
    return out;
  };
  for (let round = 0; round < 12; round++) word();

  const next = (): number => (word() >>> 0) / TWO_32;
  return {
    next,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (items) => {
      if (items.length === 0) throw new RangeError('Nothing to pick from');
      return items[Math.floor(next() * items.length)]!;
    },
    chance: (probability) => next() < probability,
    normal: (mean, deviation) => mean + (next() + next() + next() + next() - 2) * SQRT_3 * deviation,
    fork: (label) => streamOf(keyA, keyB, label),
  };
};

const scramble = (value: number): number => {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
};

/** A factor around 1: log-normal, with e^x as (1 + x/1024)^1024 because Math.exp may differ between engines. */
export const logNormal = (random: Random, deviation: number): number => {
  let factor = 1 + random.normal(0, deviation) / 1024;
  for (let squaring = 0; squaring < 10; squaring++) factor *= factor;
  return factor;
};

/** A new array with the items in random order. */
export const shuffled = <T>(random: Random, items: readonly T[]): T[] => {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at--) {
    const other = random.integer(0, at);
    [result[at], result[other]] = [result[other]!, result[at]!];
  }
  return result;
};
