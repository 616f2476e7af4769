import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../conformance/wire.ts';
import { emptyServer, type TestServer } from '../server.ts';
import { type RawEntry, type RawTarEntry, lengthPrefixedOf, rawTar, rawZip, tarOf, zipOf } from './archives.ts';
import { file, sendForm, text, textFields, uniqueBytes } from './form.ts';
import { expectNothingStored } from './stored.ts';

let server: TestServer;
beforeAll(async () => {
  server = await emptyServer();
});
afterEach(() => expectNothingStored(server));

const PAGE = { name: 'index.html', content: '<!doctype html>' };

/** With other files that are all right, before and after it. */
const expectUnsafe = async (content: Buffer, type = 'html'): Promise<void> => {
  const answer = await sendForm(server, [
    file('report_fine', await zipOf({ 'index.html': '<!doctype html>', 'b.txt': uniqueBytes() })),
    file(`report_${type}`, content, 'report.zip'),
    ...textFields(),
    file('trace_0', uniqueBytes()),
  ]);
  await expectError(answer, 400, 'unsafe_archive');
};

const NAMES: [string, string][] = [
  ['dot-dot', '../outside.txt'],
  ['dot-dot in the middle', 'a/../../outside.txt'],
  ['dot-dot that stays inside', 'a/../b.txt'],
  ['dot-dot at the end', 'a/..'],
  ['absolute', '/etc/passwd'],
  ['backslash dot-dot', '..\\outside.txt'],
  ['backslash', 'a\\b.txt'],
  ['drive', 'C:/windows/a.txt'],
  ['drive without a slash', 'c:a.txt'],
  ['share', '//server/share/a.txt'],
  ['NUL', 'a\0.txt'],
  ['a name of ten thousand characters', 'n'.repeat(10_000)],
  ['a path of ten thousand characters', 'n/'.repeat(5_000).concat('a')],
];

describe.each(NAMES)('a name with %s', (_, name) => {
  it('is refused in zip', () => expectUnsafe(rawZip([PAGE, { name }])));

  it('is refused in the length-prefixed archive', () =>
    expectUnsafe(
      lengthPrefixedOf([
        ['index.html', 'x'],
        [name, 'x'],
      ]),
    ));

  it('is refused in tar and tar.gz', async () => {
    // What is behind a NUL is no part of a name there.
    if (name.includes('\0')) return;
    const tar =
      name.length > 100 ? await tarOf({ 'index.html': 'x', [name]: 'x' }) : rawTar([PAGE, { name, content: 'x' }]);
    await expectUnsafe(tar);
    await expectUnsafe(gzipSync(tar));
  });
});

describe('names that collide are refused', () => {
  const twins: [string, string, string][] = [
    ['the same twice', 'a.txt', 'a.txt'],
    ['by case', 'a.txt', 'A.TXT'],
    ['by case in a folder', 'data/a.txt', 'Data/a.txt'],
    ['a file and a folder', 'a', 'a/b.txt'],
    ['by ./', 'a.txt', './a.txt'],
  ];

  it.each(twins)('%s', async (_, first, second) => {
    await expectUnsafe(rawZip([{ name: first }, { name: second }]));
    await expectUnsafe(
      rawTar([
        { name: first, content: 'x' },
        { name: second, content: 'x' },
      ]),
    );
    await expectUnsafe(
      lengthPrefixedOf([
        [first, 'x'],
        [second, 'x'],
      ]),
    );
  });
});

describe('what is no file is refused', () => {
  it.each<[string, RawTarEntry]>([
    ['a symbolic link', { name: 'link', typeflag: '2', linkname: '/etc/passwd' }],
    ['a hard link', { name: 'link', typeflag: '1', linkname: 'index.html' }],
    ['a character device', { name: 'device', typeflag: '3' }],
    ['a block device', { name: 'device', typeflag: '4' }],
    ['a pipe', { name: 'pipe', typeflag: '6' }],
  ])('%s in tar', (_, entry) => expectUnsafe(rawTar([PAGE, entry])));

  it.each<[string, RawEntry]>([
    ['a symbolic link', { name: 'link', content: '/etc/passwd', mode: 0o120777 }],
    ['a device', { name: 'device', mode: 0o020644 }],
    ['a pipe', { name: 'pipe', mode: 0o010644 }],
  ])('%s in zip', (_, entry) => expectUnsafe(rawZip([PAGE, entry])));
});

describe('an archive that lies is refused', () => {
  it.each<[string, RawEntry]>([
    ['too small a size', { name: 'a.txt', content: 'x'.repeat(5_000), claimedSize: 5 }],
    ['too large a size', { name: 'a.txt', content: 'x', claimedSize: 5_000 }],
    ['a wrong checksum', { name: 'a.txt', content: 'x'.repeat(50), claimedCrc: 5 }],
  ])('%s', (_, entry) => expectUnsafe(rawZip([PAGE, entry])));

  it('entries that overlap', () => {
    const zip = rawZip([
      { name: 'a.txt', content: 'x' },
      { name: 'b.txt', content: 'x' },
    ]);
    const second = zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]), zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 4);
    zip.writeUInt32LE(0, second + 42);
    return expectUnsafe(zip);
  });

  it.each([0.3, 0.6, 0.95])('a zip cut off at %d of it', async (share) => {
    const zip = await zipOf({ 'index.html': '<!doctype html>', 'a.bin': uniqueBytes(3_000) });
    await expectUnsafe(zip.subarray(0, Math.floor(zip.length * share)));
  });

  it.each([0.4, 0.8])('a tar.gz cut off at %d of it', async (share) => {
    const gz = gzipSync(await tarOf({ 'index.html': '<!doctype html>', 'a.bin': uniqueBytes(30_000) }));
    await expectUnsafe(gz.subarray(0, Math.floor(gz.length * share)));
  });

  it('a tar cut off in an entry', async () => {
    const tar = await tarOf({ 'index.html': '<!doctype html>', 'a.bin': uniqueBytes(3_000) });
    await expectUnsafe(tar.subarray(0, 2_500));
  });

  it('a length-prefixed archive with a length that is not there', () => {
    const bytes = Buffer.concat([
      Buffer.from([10, 0, 0, 0]),
      Buffer.from('index.html'),
      Buffer.from([255, 255, 0, 0, 1]),
    ]);
    return expectUnsafe(gzipSync(bytes));
  });
});

describe('a bomb is refused', () => {
  const ZEROS = Buffer.alloc(3_000_000);

  it('in zip', async () => expectUnsafe(await zipOf({ 'index.html': 'x', 'a.txt': ZEROS })));

  it('in gzip of tar', async () => expectUnsafe(gzipSync(await tarOf({ 'index.html': 'x', 'a.txt': ZEROS }))));

  it('in the length-prefixed archive', () => expectUnsafe(lengthPrefixedOf({ 'a.txt': ZEROS })));

  it('in a wrapped blob report', async () => expectUnsafe(gzipSync(await tarOf({ 'a.zip': ZEROS })), 'blob'));
});

describe('a refusal', () => {
  it('tells nothing of the machine', async () => {
    const answer = await sendForm(server, [...textFields(), file('report_monocart', rawZip([{ name: '../a' }]))]);
    const error = await expectError(answer, 400, 'unsafe_archive');
    expect(JSON.stringify(error)).not.toContain(server.dataDir);
  });

  it('names the part that holds the archive', async () => {
    const answer = await sendForm(server, [...textFields(), file('report_monocart', rawZip([{ name: '../a' }]))]);
    expect(JSON.stringify(await expectError(answer, 400, 'unsafe_archive'))).toContain('report_monocart');
  });

  it('of one report takes the others with it, whichever comes first', async () => {
    const bad = file('report_bad', rawZip([{ name: '../a' }]));
    const good = file('report_html', await zipOf({ 'index.html': '<!doctype html>', 'a.bin': uniqueBytes(200_000) }));
    for (const parts of [
      [bad, good],
      [good, bad],
    ]) {
      await expectError(await sendForm(server, [...parts, ...textFields()]), 400, 'unsafe_archive');
      await expectError(await sendForm(server, [...textFields(), ...parts]), 400, 'unsafe_archive');
    }
  });

  it('comes for an archive even when the fields are wrong too', async () => {
    const answer = await sendForm(server, [file('report_bad', rawZip([{ name: '../a' }])), text('projectName', 'x')]);
    expect(answer.status).toBe(400);
  });
});
