export interface RawTarEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly type?: string;
  /** The field of the header, when it is not made from the content. */
  readonly size?: string | Buffer;
  readonly magic?: string;
  readonly prefix?: string;
  readonly checksum?: string;
}

const BLOCK_BYTES = 512;
const END = Buffer.alloc(2 * BLOCK_BYTES);

/** Writes any tar, be it wrong or right. */
export const rawTar = (entries: readonly RawTarEntry[], end: Buffer = END): Buffer =>
  Buffer.concat([...entries.map(rawTarEntry), end]);

const rawTarEntry = (entry: RawTarEntry): Buffer => {
  const content = Buffer.from(entry.content ?? '');
  const padding = Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES);
  return Buffer.concat([header(entry, content.length), content, padding]);
};

const header = (entry: RawTarEntry, length: number): Buffer => {
  const block = Buffer.alloc(BLOCK_BYTES);
  Buffer.from(entry.name).copy(block, 0, 0, 100);
  block.write('0000644 0000000 0000000 ', 100, 'latin1');
  Buffer.from(entry.size ?? octal(length, 11)).copy(block, 124, 0, 12);
  block.write(octal(0, 11), 136, 'latin1');
  block.write(entry.type ?? '0', 156, 'latin1');
  block.write(entry.magic ?? 'ustar\x0000', 257, 'latin1');
  block.write(entry.prefix ?? '', 345, 'latin1');
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(entry.checksum ?? `${octal(sum, 6)}\0 `, 148, 'latin1');
  return block;
};

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

export const paxRecord = (key: string, value: string | Buffer): Buffer => {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from('\n')]);
  let length = rest.length;
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
};

export const pax = (...records: readonly Buffer[]): RawTarEntry => ({
  name: 'PaxHeader/entry',
  type: 'x',
  content: Buffer.concat(records),
});
