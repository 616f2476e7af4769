/*
 * Texts as the triples of characters in them. A triple has one of a fixed number of places, which few triples share, so
 * that a text which has not all places of another cannot contain it.
 */

const PLACE_BITS = 21;
export const PLACES = 2 ** PLACE_BITS;

const placeOf = (a: number, b: number, c: number): number => {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> (32 - PLACE_BITS);
};

/** Places of a text in lower case. */
export const eachPlace = (text: string, take: (place: number) => void): void => {
  const lower = text.toLowerCase();
  let a = lower.charCodeAt(0);
  let b = lower.charCodeAt(1);
  for (let at = 2; at < lower.length; at++) {
    const c = lower.charCodeAt(at);
    take(placeOf(a, b, c));
    a = b;
    b = c;
  }
};

/** What becomes of these in lower case depends on what is beside them, or is longer: surrogates, Σ and İ. */
const CHANGES_WITH_CONTEXT = /[\ud800-\udfff\u03a3\u0130]/;

/**
 * Places that every text has which contains this one, in whatever case either of them is; none where it is too short to
 * tell.
 */
export const placesWithin = (text: string): number[] => {
  const places = new Set<number>();
  for (const part of text.split(CHANGES_WITH_CONTEXT)) eachPlace(part, (place) => places.add(place));
  return [...places];
};

/** The place of a whole text among those of triples. */
export const placeOfWhole = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return placeOf(hash, text.length, 0x7a65);
};
