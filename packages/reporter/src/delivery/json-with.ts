/** An object as JSON with one more field, whose value is JSON already: cases may be many, and are written once. */
export const jsonWith = (fields: object, name: string, json: string): string => `${startWith(fields, name)}${json}}`;

/** The same in pieces. */
export const piecesWith = (fields: object, name: string, pieces: readonly Buffer[]): Buffer[] => [
  Buffer.from(startWith(fields, name)),
  ...pieces,
  Buffer.from('}'),
];

const startWith = (fields: object, name: string): string => {
  const start = JSON.stringify(fields).slice(0, -1);
  return `${start}${start === '{' ? '' : ','}${JSON.stringify(name)}:`;
};

const ITEMS_PER_PIECE = 500;

/** A list as JSON, in pieces, so that no long text is in memory beside its bytes. Null when it has more bytes than that. */
export const piecesOf = (items: readonly unknown[], mostBytes = Infinity): Buffer[] | null => {
  const jsonFrom = (at: number): string => JSON.stringify(items.slice(at, at + ITEMS_PER_PIECE));
  let bytes = 0;
  for (let at = 0; at < items.length; at += ITEMS_PER_PIECE) {
    bytes += Buffer.byteLength(jsonFrom(at));
    if (bytes > mostBytes) return null;
  }
  const pieces: Buffer[] = [];
  for (let at = 0; at < items.length; at += ITEMS_PER_PIECE) {
    pieces.push(Buffer.from(`${at === 0 ? '[' : ','}${jsonFrom(at).slice(1, -1)}`));
  }
  return [...pieces, Buffer.from(items.length === 0 ? '[]' : ']')];
};
