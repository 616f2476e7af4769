import { gzipSync } from 'node:zlib';
import { describe } from 'vitest';
import { type RefusalCase, itRefuses } from './testing/refusals.ts';
import { lengthPrefixed } from './testing/sample-archives.ts';
import { MIB } from './testing/scratch.ts';

const page = { 'index.html': '<!doctype html><p>Report</p>' };

const badPath = (path: string, reason: string, shown = path): RefusalCase => ({
  archive: gzipSync(lengthPrefixed({ ...page, [path]: 'x' })),
  message: ` at "${shown}": ${reason}`,
});

const whole = lengthPrefixed({ ...page, 'a.txt': 'text' });
const startOfSecond = lengthPrefixed(page).length;
const cut = (bytes: number, message: string): RefusalCase => ({ archive: gzipSync(whole.subarray(0, bytes)), message });

const withBytes = (at: number, bytes: readonly number[]): Buffer => {
  const changed = Buffer.from(whole);
  changed.set(bytes, at);
  return gzipSync(changed);
};

describe('a length-prefixed archive', () => {
  itRefuses({
    'a way up': badPath('../x', 'its path has the segment ".."'),
    'an absolute path': badPath('/x', 'its path is absolute'),
    'a NUL': badPath('a\0', 'its path has a control character', 'a\u{fffd}'),
    'a folder': badPath('a/', 'its path has an empty segment'),
    'a way up in its first path': {
      archive: gzipSync(lengthPrefixed({ '../x': 'x' })),
      message: ' at "../x": its path has the segment ".."',
    },
    'a path twice': {
      archive: gzipSync(Buffer.concat([whole, lengthPrefixed({ 'a.txt': 'other' })])),
      message: ' at "a.txt": another entry has the same path',
    },
    'a path that is not UTF-8': {
      archive: withBytes(startOfSecond + 4, [0xff]),
      message: ' at "\u{fffd}.txt": its path is not valid UTF-8',
    },
    'an empty path': { archive: withBytes(startOfSecond, [0]), message: ' at "": its path is empty' },
    'a gigantic path': {
      archive: withBytes(startOfSecond, [0xff, 0xff, 0xff, 0xff]),
      message: ': a path is longer than 1024 bytes',
    },
    'a gigantic content': {
      archive: withBytes(startOfSecond + 9, [0xff, 0xff, 0xff, 0xff]),
      message: ' at "a.txt": the file is larger than 33554432 bytes',
    },
    'a cut in a length': cut(startOfSecond + 2, ': it is cut off'),
    'a cut in a path': cut(startOfSecond + 6, ' at "a.": it is cut off'),
    'a cut in the first path': cut(8, ' at "inde": it is cut off'),
    'a cut in the length of a content': cut(startOfSecond + 11, ': it is cut off'),
    'a cut in a content': cut(whole.length - 1, ' at "a.txt": it is cut off'),
    'no files': { archive: gzipSync(''), message: ': it has no files' },
    'too many entries': {
      archive: gzipSync(whole),
      limits: { maxEntries: 1 },
      message: ': it has more than 1 entries',
    },
    'too high a ratio': {
      archive: gzipSync(lengthPrefixed({ bomb: Buffer.alloc(8 * MIB) })),
      message: ' at "bomb": it inflates to more than 200 times its size',
    },
  });
});
