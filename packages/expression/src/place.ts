/** A place in a tree, as a linked list upwards, so that a path is only spelt out when somebody asks for it. */
export interface Place {
  readonly up: Place | undefined;
  readonly key: string | number;
}

/** The JSON Pointer (RFC 6901) to a place; no place is the whole document. */
export function pointer(place: Place | undefined): string {
  const parts: string[] = [];
  for (let at = place; at !== undefined; at = at.up) {
    parts.push(typeof at.key === 'number' ? String(at.key) : at.key.replaceAll('~', '~0').replaceAll('/', '~1'));
  }
  return parts.length === 0 ? '' : `/${parts.reverse().join('/')}`;
}
