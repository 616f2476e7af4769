/** Collects the distinct strings of a block and gives each its place. */
export interface Dictionary {
  readonly strings: string[];
  indexOf(text: string): number;
}

export const createDictionary = (): Dictionary => {
  const strings: string[] = [];
  const places = new Map<string, number>();
  return {
    strings,
    indexOf(text) {
      const known = places.get(text);
      if (known !== undefined) return known;
      places.set(text, strings.length);
      return strings.push(text) - 1;
    },
  };
};
