import { MAX_METADATA_BYTES } from '@assay/contract/limits';

type Fields = Readonly<Record<string, unknown>>;

/** The longest texts and lists, from one try to the next. */
const TRIES = [
  { characters: 10_000, items: 1_000 },
  { characters: 4_000, items: 50 },
  { characters: 1_000, items: 20 },
  { characters: 200, items: 10 },
  { characters: 50, items: 5 },
] as const;

/** Adds what a sender knows to other metadata, shortened as far as both would be refused for their size. */
export const addMetadata = (given: Fields, own: Fields, maxBytes = MAX_METADATA_BYTES): Fields => {
  const whole = { ...given, ...own };
  if (hasAtMost(maxBytes, whole)) return whole;
  for (const longest of TRIES) {
    const shorter = { ...given, ...(shorten(own, longest) as Fields) };
    if (hasAtMost(maxBytes, shorter)) return shorter;
  }
  return given;
};

/** Texts that are too long by themselves are not written as JSON, which may be longer than any string can be. */
const hasAtMost = (bytes: number, value: unknown): boolean => charactersIn(value) <= bytes && jsonBytes(value) <= bytes;

const charactersIn = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + charactersIn(item), 0);
};

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const shorten = (value: unknown, longest: (typeof TRIES)[number]): unknown => {
  const { characters, items } = longest;
  if (typeof value === 'string') return value.length > characters ? `${value.slice(0, characters)}…` : value;
  if (Array.isArray(value)) return value.slice(0, items).map((item) => shorten(item, longest));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shorten(field, longest)]));
};
