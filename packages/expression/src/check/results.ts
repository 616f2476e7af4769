import { ARRAY, BOOLEAN, type Inferred, NUMBER, STRING, UNKNOWN } from './types.ts';

const RESULTS: readonly (readonly [RegExp, Inferred])[] = [
  [/^(Boolean|includes|some|every|test|isWellFormed)$|With$|\.is/, { types: BOOLEAN }],
  [/^(Number|Math|getTime|getUTC|indexOf|lastIndexOf|findIndex|charCodeAt)/, { types: NUMBER }],
  [/^(String|to(String|ISOString|Fixed)|trim|pad|join|repeat|charAt|replace)|Case$/, { types: STRING }],
  [/^split$/, { types: ARRAY, element: { types: STRING } }],
];

/** What a method gives, or the functions of a global, as far as the name tells. */
export const resultOf = (name: string): Inferred =>
  RESULTS.find(([names]) => names.test(name))?.[1] ?? { types: UNKNOWN };
