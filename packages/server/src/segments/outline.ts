import { weightOf, weights } from './letters.ts';
import type { Results } from './results.ts';
import { KNOWN_STATUSES } from './status-code.ts';
import { PLACES, eachPlace, placeOfWhole } from './text-places.ts';
import { readVarint, writeVarint } from './varint.ts';

/*
 * The outline of a run: what its results have among them, in so few bytes that reading the outlines of all runs of a
 * project takes no time. A query leaves out runs whose outline shows that none of their results can match.
 * docs/segment-format.md describes it.
 */

/** Of the outlines and what holds them together. */
export const OUTLINE_BYTES_PER_RESULT = 3;
/** Of the entry of an outline in its pack, at most. */
const ENTRY_BYTES = 12;
const BITS_PER_PLACE = 8;
/** With fewer, most places would seem to be there. */
const LEAST_BITS_PER_PLACE = 3;
const HASHES = 3;
/** Lists of tags that are read to know their tags. */
const MOST_TAG_LISTS = 10_000;

const flags = {
  texts: 1,
  error: 2,
  noError: 4,
  duration: 8,
  noDuration: 16,
  flaky: 32,
  notFlaky: 64,
} as const;

const OTHER_STATUS = KNOWN_STATUSES.length;

export interface Range {
  readonly min: number;
  readonly max: number;
}

export interface Outline {
  hasStatus(status: string): boolean;
  /** How many statuses there are; without end where some are not ours. */
  readonly statuses: number;
  readonly hasError: boolean;
  readonly lacksError: boolean;
  /** Of those that have one; null when none has. */
  readonly durationMs: Range | null;
  readonly lacksDuration: boolean;
  readonly retries: Range;
  readonly hasFlaky: boolean;
  readonly hasOther: boolean;
  /** Whether errors may have all these places, each in some of them. */
  hasPlaces(places: readonly number[]): boolean;
  hasTag(place: number): boolean;
}

export const placeOfTag = (tag: string): number => placeOfWhole(tag);

/** Null when there is too little for an outline to be worth its bytes. */
export const buildOutline = async (results: Results): Promise<Uint8Array | null> => {
  const { rows, status, retries, durationMs, error } = results;
  if (rows === 0) return null;
  let found = 0;
  let statuses = 0;
  let [minMs, maxMs, minRetries, maxRetries] = [Infinity, 0, Infinity, 0];
  for (let row = 0; row < rows; row++) {
    const code = status.at(row);
    const again = retries.at(row);
    const ms = durationMs.at(row);
    const text = error.at(row);
    statuses |= 1 << Math.min(code, OTHER_STATUS);
    found |= weightOf(code, again) === weights.flaky ? flags.flaky : flags.notFlaky;
    found |= text === text ? flags.error : flags.noError;
    minRetries = Math.min(minRetries, again);
    maxRetries = Math.max(maxRetries, again);
    if (ms === ms) {
      found |= flags.duration;
      minMs = Math.min(minMs, ms);
      maxMs = Math.max(maxMs, ms);
    } else found |= flags.noDuration;
  }
  const most = OUTLINE_BYTES_PER_RESULT * rows - ENTRY_BYTES;
  const head = [0, statuses];
  if (found & flags.duration) {
    writeVarint(head, Math.max(0, Math.floor(minMs)));
    writeVarint(head, Math.ceil(maxMs));
  }
  writeVarint(head, minRetries);
  writeVarint(head, maxRetries);
  if (head.length > most) return null;
  const texts = await outlineTexts(results, most - head.length);
  head[0] = found | (texts ? flags.texts : 0);
  const bytes = new Uint8Array(head.length + (texts?.length ?? 0));
  bytes.set(head);
  if (texts) bytes.set(texts, head.length);
  return bytes;
};

/** A Bloom filter of the places of errors and tags; null when they are too many for so few bytes. */
const outlineTexts = async (results: Results, mostBytes: number): Promise<Uint8Array | null> => {
  const { rows, error, tags, strings } = results;
  const errors = new Set<number>();
  const lists = new Set<number>();
  for (let row = 0; row < rows; row++) {
    const index = error.at(row);
    if (index === index) errors.add(index);
    const list = tags.at(row);
    if (list === list) lists.add(list);
  }
  if (lists.size > MOST_TAG_LISTS) return null;
  if (errors.size + lists.size > 0) await strings.prepare();
  const present = new Uint32Array(PLACES / 32);
  let count = 0;
  const add = (place: number): void => {
    const bit = 1 << (place & 31);
    const word = present[place >>> 5]!;
    if (word & bit) return;
    present[place >>> 5] = word | bit;
    count++;
  };
  for (const index of errors) eachPlace(strings.at(index), add);
  for (const index of lists) for (const tag of JSON.parse(strings.at(index)) as string[]) add(placeOfTag(tag));
  const bytes = Math.min(Math.ceil((count * BITS_PER_PLACE) / 8), mostBytes);
  if (bytes * 8 < count * LEAST_BITS_PER_PLACE) return null;
  const filter = new Uint8Array(bytes);
  if (count === 0) return filter;
  for (let at = 0; at < present.length; at++) {
    for (let word = present[at]!; word !== 0; word &= word - 1) {
      const place = at * 32 + (31 - Math.clz32(word & -word));
      for (let nth = 0; nth < HASHES; nth++) {
        const bit = bitOf(place, nth, bytes * 8);
        filter[bit >>> 3]! |= 1 << (bit & 7);
      }
    }
  }
  return filter;
};

const bitOf = (place: number, nth: number, bits: number): number => {
  const first = Math.imul(place + 1, 0x9e3779b1);
  const step = Math.imul(place + 1, 0x85ebca6b) | 1;
  return (((first ^ (first >>> 15)) + Math.imul(nth, step ^ (step >>> 13))) >>> 0) % bits;
};

export const readOutline = (bytes: Uint8Array): Outline => {
  const found = bytes[0]!;
  const statuses = bytes[1]!;
  const place = { at: 2 };
  const has = (flag: number): boolean => (found & flag) !== 0;
  const range = (): Range => ({ min: readVarint(bytes, place), max: readVarint(bytes, place) });
  const durationMs = has(flags.duration) ? range() : null;
  const retries = range();
  const filter = bytes.subarray(place.at);
  const bits = filter.length * 8;
  const hasPlace = (asked: number): boolean => {
    for (let nth = 0; nth < HASHES; nth++) {
      const bit = bitOf(asked, nth, bits);
      if ((filter[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  };
  const mayHave = (asked: number): boolean => !has(flags.texts) || (bits > 0 && hasPlace(asked));
  return {
    hasStatus(status) {
      const code = (KNOWN_STATUSES as readonly string[]).indexOf(status);
      return (statuses & (1 << (code < 0 ? OTHER_STATUS : code))) !== 0;
    },
    statuses: statuses >>> OTHER_STATUS > 0 ? Infinity : countBits(statuses),
    hasError: has(flags.error),
    lacksError: has(flags.noError),
    durationMs,
    lacksDuration: has(flags.noDuration),
    retries,
    hasFlaky: has(flags.flaky),
    hasOther: has(flags.notFlaky),
    hasPlaces: (places) => places.every(mayHave),
    hasTag: mayHave,
  };
};

const countBits = (word: number): number => {
  let count = 0;
  for (let left = word; left !== 0; left &= left - 1) count++;
  return count;
};
