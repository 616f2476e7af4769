import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type RawZipEntry, type RawZipOptions, rawZip } from './testing/raw-zip.ts';
import { type RefusalCase, itRefuses } from './testing/refusals.ts';
import { MIB, listUnpacked } from './testing/scratch.ts';

const page: RawZipEntry = { name: 'index.html', content: '<!doctype html><p>Report</p>' };
const zipOf = (...entries: readonly RawZipEntry[]): Buffer => rawZip([page, ...entries]);

const badName = (name: string | Buffer, reason: string, shown = String(name)): RefusalCase => ({
  archive: zipOf({ name, content: 'x' }),
  message: ` at "${shown}": ${reason}`,
});

const badPair = (first: string, second: string, reason: string): RefusalCase => ({
  archive: zipOf({ name: first, content: '1' }, { name: second, content: '2' }),
  message: ` at "${second}": ${reason}`,
});

const badEntry = (entry: Partial<RawZipEntry>, reason: string): RefusalCase => ({
  archive: zipOf({ name: 'bad.txt', content: 'content', ...entry }),
  message: ` at "bad.txt": ${reason}`,
});

/** Where the list of files starts when there is only the page. */
const lengthOfPage = rawZip([page]).readUInt32LE(rawZip([page]).length - 6);

const ONLY_CASE = 'its path differs from that of another entry in case or Unicode form only';

describe('the paths of a zip', () => {
  itRefuses({
    'an absolute path': badName('/etc/passwd', 'its path is absolute'),
    'a drive letter': badName('c:/windows/x', 'its path is absolute'),
    'a way up': badName('../../x', 'its path has the segment ".."'),
    'a way up in the middle': badName('a/../x', 'its path has the segment ".."'),
    'a dot segment': badName('a/./x', 'its path has the segment "."'),
    'a second leading dot segment': badName('././x', 'its path has the segment "."'),
    'a backslash': badName('a\\..\\x', 'its path has a backslash'),
    'a NUL': badName('a\0.png', 'its path has a control character', 'a\u{fffd}.png'),
    'a line break': badName('a\nb', 'its path has a control character', 'a\u{fffd}b'),
    'an empty segment': badName('a//x', 'its path has an empty segment'),
    'an empty name': badName('', 'its path is empty'),
    'a name that is not UTF-8 though it says so': badName(
      Buffer.from([0x61, 0xff]),
      'its path is not valid UTF-8',
      'a\u{fffd}',
    ),
    'a long path': badName(
      `${'folder/'.repeat(200)}x`,
      'its path is longer than 1024 bytes',
      `${'folder/'.repeat(12).slice(0, 79)}\u{2026}`,
    ),
    'a long segment': badName(
      'x'.repeat(256),
      'a segment of its path is longer than 255 bytes',
      `${'x'.repeat(79)}\u{2026}`,
    ),
    'a path twice': badPair('a/x', 'a/x', 'another entry has the same path'),
    'a path that differs in case only': badPair('a/x', 'a/X', ONLY_CASE),
    'a folder that differs in case only': badPair('a/x', 'A/y', ONLY_CASE),
    'a path that differs in its Unicode form only': badPair('caf\u{e9}', 'cafe\u{301}', ONLY_CASE),
    'a file where a folder is': badPair('a/x', 'a', 'a file and a folder have the same path'),
    'a folder where a file is': badPair('a', 'a/x', 'a file and a folder have the same path'),
  });
});

describe('the entries of a zip', () => {
  itRefuses({
    'a symbolic link': badEntry({ mode: 0o120777 }, 'it is a symbolic link'),
    'a device': badEntry({ mode: 0o020644 }, 'it is neither a file nor a folder'),
    'a named pipe': badEntry({ mode: 0o010644 }, 'it is neither a file nor a folder'),
    'a folder that is named like a file': badEntry({ mode: 0o040755 }, 'it is neither a file nor a folder'),
    'a folder with a content': {
      archive: zipOf({ name: 'a/', content: 'x', mode: 0o040755 }),
      message: ' at "a/": it is a folder with a content',
    },
    'an encrypted entry': badEntry({ flags: 0x801 }, 'it is encrypted'),
    'an encrypted list of names': badEntry({ flags: 0x2800 }, 'it is encrypted'),
    'an unknown compression': badEntry({ method: 12 }, 'its compression method 12 is not supported'),
    'a content longer than was said': badEntry({ sizeBytes: 3 }, 'it was said to have 3 bytes but has 7'),
    'a content shorter than was said': badEntry({ sizeBytes: 99 }, 'it was said to have 99 bytes but has 7'),
    'a stored content of two sizes': badEntry({ method: 0, sizeBytes: 8 }, 'it was said to have 8 bytes but has 7'),
    'a wrong checksum': badEntry({ crc32: 1 }, 'its checksum is not that of its content'),
    'damaged data': badEntry({ data: Buffer.from([7, 7, 7, 7]) }, 'its compressed data is damaged'),
    'data that is cut off': badEntry(
      { data: deflateRawSync(Buffer.from('content')).subarray(0, 4) },
      'its compressed data is cut off',
    ),
    'data behind the compressed data': badEntry(
      { data: Buffer.concat([deflateRawSync(Buffer.from('content')), Buffer.from('more')]) },
      'other data follows its compressed data',
    ),
    'a local header with another name': badEntry({ local: { name: 'bad.exe' } }, 'its local header has another name'),
    'a local header with another method': badEntry({ local: { method: 0 } }, 'its local header has another method'),
    'a local header with another size': badEntry(
      { local: { sizeBytes: 1 } },
      'its local header has another size or checksum',
    ),
    'a local header with another checksum': badEntry(
      { local: { crc32: 1 } },
      'its local header has another size or checksum',
    ),
    'an offset that is not that of a header': badEntry({ offset: lengthOfPage + 1 }, 'its local header is damaged'),
    'an offset behind the end': badEntry({ offset: 4_000_000_000 }, 'its data overlaps other data of the archive'),
    'data that reaches into the list of files': badEntry(
      { compressedBytes: 60, local: { compressedBytes: 60 } },
      'its data overlaps other data of the archive',
    ),
  });
});

/** Entries that all quote the next one's header as their own data, down to one compressed kernel. */
const overlapping = (count: number): Buffer => {
  const kernel: RawZipEntry = { name: 'kernel', content: Buffer.alloc(MIB) };
  const same = Array.from({ length: count }, (_, index) => ({
    ...kernel,
    name: `file-${index}`,
    offset: 0,
    data: deflateRawSync(Buffer.alloc(MIB)),
    only: 'central' as const,
  }));
  return rawZip([kernel, ...same]);
};

describe('the structure of a zip', () => {
  const whole = zipOf({ name: 'a.txt', content: 'text' });
  const unreadable = ': the zip archive cannot be read, ';
  itRefuses({
    'many entries of one compressed kernel': {
      archive: overlapping(50),
      message: ' at "kernel": its data overlaps other data of the archive',
    },
    'two entries for one local file': {
      archive: zipOf({ ...page, name: 'again.html', offset: 0, only: 'central' }),
      message: ' at "index.html": its data overlaps other data of the archive',
    },
    'an archive without its end': {
      archive: whole.subarray(0, -30),
      message: `${unreadable}End of central directory record signature not found. Either not a zip file, or file is truncated.`,
    },
    'the beginning of an archive': {
      archive: whole.subarray(0, 10),
      message: `${unreadable}End of central directory record signature not found. Either not a zip file, or file is truncated.`,
    },
    'an archive without its beginning': {
      archive: Buffer.concat([Buffer.from('PK\x03\x04'), whole.subarray(60)]),
      message: ': the zip archive is cut off',
    },
    'bytes behind the end': {
      archive: Buffer.concat([whole, Buffer.from('garbage')]),
      message: `${unreadable}Invalid comment length. Expected: 7. Found: 0. Are there extra bytes at the end of the file? Or is the end of central dir signature \`PK\u{263a}\u{263b}\` in the comment?`,
    },
    'entries that are not counted': {
      archive: rawZip([page, { name: 'hidden', content: 'x' }], { entryCount: 1 }),
      message: ': the list of files in the zip archive is damaged',
    },
    'more entries counted than listed': {
      archive: rawZip([page], { entryCount: 2 }),
      message: ': the zip archive is cut off',
    },
    'several disks': {
      archive: rawZip([page], { diskNumber: 1 }),
      message: `${unreadable}multi-disk zip files are not supported: found disk number: 1`,
    },
    'an end in 64 bits that disagrees': {
      archive: rawZip([page, { name: 'a', content: 'x' }], { entryCount: 2, zip64: { entryCount: 1 } }),
      message: ': the zip archive has two lists of files',
    },
    'an end in 64 bits that is nowhere': {
      archive: rawZip([page], { zip64: { offset: 2n ** 63n + 1n } }),
      message: ': the zip archive is cut off',
    },
    'an extra field that reaches too far': {
      archive: zipOf({ name: 'a', content: 'x', extra: Buffer.from([1, 2, 3, 4, 5]) }),
      message: `${unreadable}extra field length exceeds extra field buffer size`,
    },
    'no files': { archive: rawZip([]), message: ': it has no files' },
    'folders only': { archive: rawZip([{ name: 'a/', mode: 0o040755 }]), message: ': it has no files' },
  });
});

describe('the limits of a zip', () => {
  itRefuses({
    'too many entries': {
      archive: zipOf({ name: 'a', content: '1' }, { name: 'b', content: '2' }),
      limits: { maxEntries: 2 },
      message: ': it has more than 2 entries',
    },
    'too large a file': {
      archive: zipOf({ name: 'a', content: 'x'.repeat(101) }),
      limits: { maxFileBytes: 100 },
      message: ' at "a": the file is larger than 100 bytes',
    },
    'too large a file that says to be small': {
      archive: zipOf({ name: 'a', content: 'x'.repeat(101), sizeBytes: 100 }),
      limits: { maxFileBytes: 100 },
      message: ' at "a": the file is larger than 100 bytes',
    },
    'too many bytes': {
      archive: zipOf({ name: 'a', content: 'x'.repeat(60) }, { name: 'b', content: 'y'.repeat(60) }),
      limits: { maxBytes: 100 },
      message: ' at "b": all files together are larger than 100 bytes',
    },
    'too high a ratio': {
      archive: zipOf({ name: 'bomb', content: Buffer.alloc(8 * MIB) }),
      message: ' at "bomb": it inflates to more than 200 times its size',
    },
  });
});

const unpackZipOf = (entries: readonly RawZipEntry[], options?: RawZipOptions): Promise<string[]> =>
  listUnpacked(rawZip(entries, options));

describe('what is unusual in a zip but right', () => {
  it('reads names without the mark of UTF-8 as cp437', async () => {
    expect(await unpackZipOf([{ name: Buffer.from([0x81, 0x2e, 0x84]), flags: 0, content: 'x' }])).toEqual(['ü.ä 1']);
  });

  it('leaves folders out, reads empty files, names that Windows reserves and a comment', async () => {
    const entries = [{ name: 'a/', mode: 0o040755 }, { name: 'a/CON' }, { name: './b', content: 'xy' }];
    expect(await unpackZipOf(entries, { comment: 'made by hand' })).toEqual(['a/CON 0', 'b 2']);
  });

  it('reads sizes in 64 bits, before and behind the data', async () => {
    const entries = [
      { name: 'a', content: 'x', zip64: true },
      { name: 'b', content: 'xy', zip64: true, descriptor: true },
      { name: 'c', content: 'xyz', zip64: true, method: 0 },
    ];
    expect(await unpackZipOf(entries, { zip64: true })).toEqual(['a 1', 'b 2', 'c 3']);
  });

  it('passes over data that no entry has', async () => {
    const entries: RawZipEntry[] = [{ name: 'deleted', content: 'old', only: 'local' }, page];
    expect(await unpackZipOf(entries)).toEqual(['index.html 28']);
  });

  it('does not look at the ratio of what is small', async () => {
    expect(await unpackZipOf([{ name: 'zeros', content: Buffer.alloc(MIB) }])).toEqual([`zeros ${MIB}`]);
  });
});
