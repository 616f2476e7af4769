import { refusal } from './refusal.ts';
import { type TarHeader, untilZero } from './tar-header.ts';

/** What the headers before an entry say of it. */
export interface TarExtension {
  name?: Buffer;
  sizeBytes?: number;
}

const PAX = 'x';
const PAX_OF_ALL = 'g';
const GNU_LONG_NAME = 'L';
const GNU_LONG_LINK = 'K';

export const isExtension = ({ type }: TarHeader): boolean =>
  [PAX, PAX_OF_ALL, GNU_LONG_NAME, GNU_LONG_LINK].includes(type);

export const extendBy = (extension: TarExtension, { type }: TarHeader, bytes: Buffer): void => {
  if (type === GNU_LONG_NAME) extension.name = untilZero(bytes);
  else if (type === PAX) readPaxRecords(bytes, extension);
  else if (type === PAX_OF_ALL) {
    const ofAll: TarExtension = {};
    readPaxRecords(bytes, ofAll);
    if (ofAll.name || ofAll.sizeBytes !== undefined) throw refusal('a header gives all entries one name or size');
  }
};

/** Records of the form `length key=value\n`, where the length counts all of the record. */
const readPaxRecords = (bytes: Buffer, extension: TarExtension): void => {
  for (let at = 0; at < bytes.length;) {
    const [lead, digits] = /^(\d{1,6}) /.exec(bytes.toString('latin1', at, at + 7)) ?? [];
    const end = at + Number(digits);
    const equals = bytes.indexOf('=', at);
    const wellFormed = lead !== undefined && equals >= at + lead.length && equals < end && bytes[end - 1] === 0x0a;
    if (!wellFormed) throw refusal('an extended header of the tar archive is damaged');
    const key = bytes.toString('latin1', at + lead.length, equals);
    readPaxRecord(key, bytes.subarray(equals + 1, end - 1), extension);
    at = end;
  }
};

const readPaxRecord = (key: string, value: Buffer, extension: TarExtension): void => {
  if (key.startsWith('GNU.sparse.')) throw refusal('it has a sparse file');
  if (value.length === 0) return;
  if (key === 'path') extension.name = value;
  if (key !== 'size') return;
  const digits = value.toString('latin1');
  if (!/^\d{1,15}$/.test(digits)) throw refusal('an extended header has a size that no file can have');
  extension.sizeBytes = Number(digits);
};
