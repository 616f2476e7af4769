/** A place in a tree, as a linked list upwards, so that a path is only spelt out when somebody asks for it. */
export interface Place {
  readonly up: Place | undefined;
  readonly key: string | number;
}

/** The place that is reached by some keys. */
export const placeAt = (place: Place, keys: readonly (string | number)[]): Place => {
  let at = place;
  for (const key of keys) at = { up: at, key };
  return at;
};

/** The JSON Pointer (RFC 6901) to a place; no place is the whole document. */
export const pointer = (place: Place | undefined): string => {
  const parts: string[] = [];
  for (let at = place; at !== undefined; at = at.up) {
    parts.push(`/${`${at.key}`.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
  return parts.reverse().join('');
};
