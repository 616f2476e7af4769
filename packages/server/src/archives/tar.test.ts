import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type RawTarEntry, pax, paxRecord, rawTar } from './testing/raw-tar.ts';
import { type RefusalCase, itRefuses } from './testing/refusals.ts';
import { MIB, listUnpacked } from './testing/scratch.ts';

const page: RawTarEntry = { name: 'index.html', content: '<!doctype html><p>Report</p>' };
const tarOf = (...entries: readonly RawTarEntry[]): Buffer => rawTar([page, ...entries]);

const badEntry = (entry: Partial<RawTarEntry>, reason: string, shown = 'bad.txt'): RefusalCase => ({
  archive: tarOf({ name: 'bad.txt', content: 'content', ...entry }),
  message: ` at "${shown}": ${reason}`,
});

const linkTo = (type: string, reason: string): RefusalCase => badEntry({ type, content: '' }, reason);

const NO_SIZE = 'its size is not a number that a file can have';

describe('the entries of a tar', () => {
  itRefuses({
    'a hard link': linkTo('1', 'it is a hard link'),
    'a symbolic link': linkTo('2', 'it is a symbolic link'),
    'a character device': linkTo('3', 'it is a device'),
    'a block device': linkTo('4', 'it is a device'),
    'a named pipe': linkTo('6', 'it is a named pipe'),
    'a sparse file': linkTo('S', 'it is a sparse file'),
    'an unknown type': linkTo('Z', 'it is neither a file nor a folder'),
    'a folder with a content': badEntry({ type: '5' }, 'it is a folder with a content'),
    'an absolute path': badEntry({ name: '/etc/passwd' }, 'its path is absolute', '/etc/passwd'),
    'a way up': badEntry({ name: '../x' }, 'its path has the segment ".."', '../x'),
    'a way up in the prefix': badEntry({ prefix: '..' }, 'its path has the segment ".."', '../bad.txt'),
    'a way up behind a leading dot': badEntry({ name: './../x' }, 'its path has the segment ".."', './../x'),
    'a name that is not UTF-8': badEntry(
      { name: Buffer.from([0x61, 0xff]) },
      'its path is not valid UTF-8',
      'a\u{fffd}',
    ),
    'an empty name': badEntry({ name: '' }, 'its path is empty', ''),
    'a path twice': {
      archive: tarOf({ name: './index.html', content: 'x' }),
      message: ' at "index.html": another entry has the same path',
    },
    'a negative size': badEntry({ size: Buffer.alloc(12, 0xff) }, NO_SIZE),
    'a size beyond all numbers': badEntry({ size: Buffer.from('\x80'.padEnd(12, '\x7f'), 'latin1') }, NO_SIZE),
    'a size of an unknown form': badEntry({ size: Buffer.from('\x81'.padEnd(12, '\0'), 'latin1') }, NO_SIZE),
    'a size that is no number': badEntry({ size: '0000000009x' }, NO_SIZE),
    'a size beyond the end': badEntry({ size: '00000100000' }, 'it is cut off'),
    'a size in base 256 above the limit': badEntry(
      { size: Buffer.from([0x80, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]) },
      'the file is larger than 33554432 bytes',
    ),
  });
});

const global = (content: Buffer): RawTarEntry => ({ name: 'pax_global_header', type: 'g', content });

describe('the extended headers of a tar', () => {
  const damaged = ': an extended header of the tar archive is damaged';
  itRefuses({
    'a way up': {
      archive: tarOf(pax(paxRecord('path', '../x')), { name: 'x', content: 'x' }),
      message: ' at "../x": its path has the segment ".."',
    },
    'a name that is not UTF-8': {
      archive: tarOf(pax(paxRecord('path', Buffer.from([0xc3, 0x28]))), { name: 'x', content: 'x' }),
      message: ' at "\u{fffd}(": its path is not valid UTF-8',
    },
    'a negative size': {
      archive: tarOf(pax(paxRecord('size', '-1')), { name: 'x', content: 'x' }),
      message: ': an extended header has a size that no file can have',
    },
    'a size beyond the end': {
      archive: tarOf(pax(paxRecord('size', '99999')), { name: 'x', content: 'x' }),
      message: ' at "x": it is cut off',
    },
    'a sparse file': {
      archive: tarOf(pax(paxRecord('GNU.sparse.major', '1')), { name: 'x', content: 'x' }),
      message: ': it has a sparse file',
    },
    'one name for all': {
      archive: tarOf(global(paxRecord('path', 'x')), { name: 'y', content: 'x' }),
      message: ': a header gives all entries one name or size',
    },
    'a record without a length': { archive: tarOf(pax(Buffer.from('path=x\n'))), message: damaged },
    'a record of no length': { archive: tarOf(pax(Buffer.from('0 path=x\n'))), message: damaged },
    'a record that reaches too far': { archive: tarOf(pax(Buffer.from('99 path=x\n'))), message: damaged },
    'a record without a value': { archive: tarOf(pax(Buffer.from('8 path\n '))), message: damaged },
    'a gigantic header': {
      archive: tarOf({ ...pax(), size: '77777777777' }),
      message: ' at "PaxHeader/entry": a header is longer than 262144 bytes',
    },
    'a gigantic long name': {
      archive: tarOf({ name: '././@LongLink', type: 'L', content: Buffer.alloc(MIB, 'x') }),
      message: ' at "././@LongLink": a header is longer than 262144 bytes',
    },
    'a long name that is too long for a path': {
      archive: tarOf({ name: '././@LongLink', type: 'L', content: `${'x/'.repeat(600)}y\0` }, page),
      message: ` at "${'x/'.repeat(40).slice(0, 79)}\u{2026}": its path is longer than 1024 bytes`,
    },
    'headers without end': {
      archive: gzipSync(rawTar(Array.from({ length: 100 }, () => pax(paxRecord('comment', 'x'.repeat(90_000)))))),
      limits: { maxEntries: 100, maxRatio: 1e6 },
      message: ': it has too much besides its files',
    },
    'a header without an entry': {
      archive: tarOf(pax(paxRecord('path', 'x'))),
      message: ': the tar archive is cut off',
    },
  });
});

describe('the structure of a tar', () => {
  const whole = tarOf({ name: 'a.txt', content: 'text' });
  const cutOff = ': the tar archive is cut off';
  itRefuses({
    'a wrong checksum': {
      archive: tarOf({ name: 'x', checksum: '000000\0 ' }),
      message: ': a header of the tar archive is damaged',
    },
    'a wrong checksum of the first header': {
      archive: rawTar([{ ...page, checksum: '000000\0 ' }]),
      message: ': a header of the tar archive is damaged',
    },
    'no end': { archive: rawTar([page], Buffer.alloc(0)), message: cutOff },
    'half a header': { archive: whole.subarray(0, 1024 + 100), message: cutOff },
    'half a content': { archive: whole.subarray(0, 512 + 10), message: ' at "index.html": it is cut off' },
    'half of the padding': { archive: whole.subarray(0, 512 + 100), message: cutOff },
    'an archive behind the end': {
      archive: Buffer.concat([whole, rawTar([{ name: 'hidden', content: 'x' }])]),
      message: ': other data follows the end of the tar archive',
    },
    'nothing but zeros': { archive: Buffer.alloc(10_240), message: ': it has no files' },
    'nothing but zeros, compressed': { archive: gzipSync(Buffer.alloc(10_240)), message: ': it has no files' },
    'folders only': {
      archive: rawTar([
        { name: './', type: '5' },
        { name: 'a/', type: '5' },
      ]),
      message: ': it has no files',
    },
    'zeros without end': {
      archive: gzipSync(Buffer.concat([whole, Buffer.alloc(16 * MIB)])),
      message: ': it inflates to more than 200 times its size',
    },
  });
});

describe('the limits of a tar', () => {
  itRefuses({
    'too many entries, folders among them': {
      archive: tarOf({ name: 'a/', type: '5' }, { name: 'b/', type: '5' }),
      limits: { maxEntries: 2 },
      message: ': it has more than 2 entries',
    },
    'too many bytes': {
      archive: gzipSync(tarOf({ name: 'b', content: 'y'.repeat(100) })),
      limits: { maxBytes: 120 },
      message: ' at "b": all files together are larger than 120 bytes',
    },
    'too high a ratio': {
      archive: gzipSync(tarOf({ name: 'bomb', content: Buffer.alloc(8 * MIB) })),
      message: ' at "bomb": it inflates to more than 200 times its size',
    },
  });
});

describe('the gzip around a tar', () => {
  const compressed = gzipSync(
    tarOf({ name: 'noise', content: Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * i) % 251)) }),
  );
  itRefuses({
    'a cut': { archive: compressed.subarray(0, -9), message: ': its compressed data is cut off' },
    'a cut in the beginning': { archive: compressed.subarray(0, 20), message: ': its compressed data is cut off' },
    'a wrong checksum': {
      archive: Buffer.concat([compressed.subarray(0, -8), Buffer.from('checksum')]),
      message: ': its compressed data is damaged',
    },
    'other data behind it': {
      archive: Buffer.concat([compressed, Buffer.from('garbage')]),
      message: ': its compressed data is damaged',
    },
    'zeros behind it': {
      archive: Buffer.concat([compressed, Buffer.alloc(100)]),
      message: ': other data follows its compressed data',
    },
  });
});

describe('what is unusual in a tar but right', () => {
  const longName = `${'folder/'.repeat(40)}file.txt`;

  it('reads long names of every dialect', async () => {
    const archive = tarOf(
      { name: '././@LongLink', type: 'L', content: `${longName}1\0`, magic: 'ustar  \0' },
      { name: 'cut', content: 'x', magic: 'ustar  \0', prefix: 'time' },
      pax(paxRecord('path', `${longName}2`), paxRecord('mtime', '1.5')),
      { name: 'cut', content: 'xy' },
      { name: 'file3', prefix: 'some/folder', content: 'xyz' },
    );
    expect(await listUnpacked(archive)).toEqual([
      'index.html 28',
      `${longName}1 1`,
      `${longName}2 2`,
      'some/folder/file3 3',
    ]);
  });

  it('reads sizes from extended headers and in base 256', async () => {
    const size = Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]);
    const archive = tarOf(
      pax(paxRecord('size', '600')),
      { name: 'a', content: Buffer.alloc(600), size: '00000000000' },
      { name: 'b', content: 'bytes', size },
    );
    expect(await listUnpacked(archive)).toEqual(['index.html 28', 'a 600', 'b 5']);
  });

  it('reads archives without a mark, folders that only their slash tells, and what git says of a commit', async () => {
    const archive = rawTar([
      { name: 'a/', type: '\0', magic: '' },
      { name: './a/x', type: '\0', magic: '', content: 'x' },
      global(paxRecord('comment', 'cafe')),
      { name: 'a/y', magic: '', content: 'y', type: '7' },
    ]);
    expect(await listUnpacked(archive)).toEqual(['a/x 1', 'a/y 1']);
  });

  it('reads several members of gzip one after the other', async () => {
    const whole = tarOf({ name: 'a', content: 'x' });
    const archive = Buffer.concat([gzipSync(whole.subarray(0, 700)), gzipSync(whole.subarray(700))]);
    expect(await listUnpacked(archive)).toEqual(['index.html 28', 'a 1']);
  });
});
