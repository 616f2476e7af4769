import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ARCHIVE_KINDS, type Files } from './testing/sample-archives.ts';
import { openScratch } from './testing/scratch.ts';
import { unpackFile } from './unpack.ts';

const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let at = 0, state = 1; at < length; at++) {
    state = (state * 48_271) % 0x7fffffff;
    bytes[at] = state;
  }
  return bytes;
};

const FILES: Files = {
  'index.html': '<!doctype html><p>Report</p>',
  'data/größe ✓.txt': 'Größe',
  'data/日本語/レポート.json': '{}',
  'data/empty': '',
  'data/block': Buffer.alloc(512, 'b'),
  'data/trace.zip': noise(300_000),
  [`${'deep/'.repeat(60)}file`]: 'deep',
};

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

describe.each(Object.entries(ARCHIVE_KINDS))('an archive that is a %s', (_, make) => {
  it('is unpacked into files with the hashes of their contents', async () => {
    using scratch = openScratch(await make(FILES));
    const unpacked = await unpackFile(scratch);
    const expected = Object.entries(FILES).map(([path, content]) => {
      const hash = sha256(content);
      return { path, hash, file: join(scratch.intoDir, hash), sizeBytes: Buffer.byteLength(content) };
    });
    expect(unpacked).toEqual({ kind: 'archive', entries: expected });
    for (const { path, file } of expected) expect(readFileSync(file).equals(Buffer.from(FILES[path]!))).toBe(true);
    expect(scratch.list().sort()).toEqual(expected.map(({ hash }) => hash).sort());
  });

  it('has identical contents once', async () => {
    using scratch = openScratch(await make({ a: 'same', b: 'other', c: 'same' }));
    await unpackFile(scratch);
    expect(scratch.list().sort()).toEqual([sha256('same'), sha256('other')].sort());
  });
});

const HTML = '<!doctype html><title>Report</title>';
const kinds: Readonly<Record<string, readonly [kind: 'html' | 'other', bytes: string | Buffer]>> = {
  'an HTML file': ['html', HTML],
  'an HTML file in capitals without a doctype': ['html', '<HTML lang="en">'],
  'an HTML file behind a mark, blanks, a declaration and comments': [
    'html',
    `\u{feff}\n <?xml version="1.0"?>\n<!-- a --><!-- b -->\n${HTML}`,
  ],
  nothing: ['other', ''],
  'a text': ['other', 'hello'],
  'a text with HTML in it': ['other', `see ${HTML}`],
  'an endless comment': ['other', `<!-- ${HTML}`],
  'another kind of XML': ['other', '<?xml version="1.0"?><svg></svg>'],
  'something that only begins like HTML': ['other', '<htmlx>'],
  'a picture': ['other', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise(2000)])],
  'something that begins with zeros': ['other', Buffer.concat([Buffer.alloc(4096), noise(2000)])],
  'a zip behind something else': ['other', Buffer.concat([Buffer.from('MZ'), Buffer.from('PK\x03\x04'), noise(600)])],
  'a compressed text': ['other', gzipSync('hello, this is only a text')],
  'a compressed letter': ['other', gzipSync('x')],
  'a compressed HTML file': ['other', gzipSync(HTML.repeat(100))],
  'a compressed picture': ['other', gzipSync(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise(2000)]))],
  'something compressed that begins with zeros': ['other', gzipSync(Buffer.concat([Buffer.alloc(4096), noise(99)]))],
  'something compressed with a short first length': ['other', gzipSync(Buffer.from([4, 0, 0, 0, 0xff, 0xfe, 1, 2, 3]))],
};

describe('a file that is no archive', () => {
  it.each(Object.entries(kinds))('is told apart and left alone: %s', async (_, [kind, bytes]) => {
    using scratch = openScratch(bytes);
    expect(await unpackFile(scratch)).toEqual({ kind });
    expect(existsSync(scratch.file)).toBe(true);
    expect(scratch.list()).toEqual([]);
  });
});
