import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { UploadReply } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { sharedServer, type TestServer } from '../server.ts';
import { type Files, lengthPrefixedOf, rawTar, tarGzOf, tarOf, zipOf } from './archives.ts';
import { beside, file, filePath, rawRequest, readStored, textFields, uniqueBytes, upload } from './form.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const send = (type: string, content: string | Buffer, filename?: string): Promise<UploadReply> =>
  upload(server, [...textFields(), file(`report_${type}`, content, filename)]);

const FILES: Files = {
  'index.html': '<!doctype html><title>Report</title><p>the page',
  'data/a.txt': 'text '.repeat(2_000),
  'data/deep/er/b.bin': uniqueBytes(5_000),
  'empty.txt': '',
  'data/ünïcødé 报告 🎉.txt': 'name',
  'with space & %20 #hash?.txt': 'odd',
  ['a'.repeat(90)]: 'long',
};

const expectFiles = async (entry: string, files: Files): Promise<void> => {
  for (const [name, content] of Object.entries(files)) {
    const stored = await readStored(server, beside(entry, name));
    if (name.endsWith('.html')) expect(String(stored)).toContain('<title>Report</title><p>the page');
    else expect(stored, name).toEqual(Buffer.from(content));
  }
};

const zipFromStream = (files: Files): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addReadStream(Readable.from([Buffer.from(content)]), name);
  zip.end();
  return buffer(zip.outputStream);
};

describe('an archive', () => {
  it.each<[string, (files: Files) => Buffer | Promise<Buffer>]>([
    ['zip', zipOf],
    ['zip of stored entries', (files) => zipOf(files, { compress: false })],
    ['zip64', (files) => zipOf(files, { forceZip64Format: true })],
    ['zip with data descriptors', zipFromStream],
    ['tar', tarOf],
    ['tar.gz', tarGzOf],
    ['length-prefixed', lengthPrefixedOf],
  ])('%s is unpacked, whatever its name says', async (_, pack) => {
    const answer = await send('html', await pack(FILES), 'report.pdf');
    expect(answer.reportPath).toMatch(/\/index\.html$/);
    await expectFiles(answer.reportPath!, FILES);
    const { reports } = await server.client.getRun({ params: { id: answer.testRunId } });
    const size = Object.values(FILES).reduce((sum, content) => sum + Buffer.byteLength(content), 0);
    expect(reports).toMatchObject([{ path: answer.reportPath, size }]);
  });

  it('with names that begin with ./ and with folders is unpacked', async () => {
    const tar = rawTar([
      { name: './', typeflag: '5' },
      { name: './index.html', content: '<!doctype html><title>Report</title><p>the page' },
      { name: './data/', typeflag: '5' },
      { name: './data/a.txt', content: 'a' },
    ]);
    const { reportPath } = await send('html', tar);
    expect(reportPath).toMatch(/\/index\.html$/);
    await expectFiles(reportPath!, { 'index.html': '', 'data/a.txt': 'a' });
  });

  it('with a name of more than a hundred characters is unpacked from tar', async () => {
    const name = `${'folder/'.repeat(30)}${'n'.repeat(120)}.txt`;
    const { reportPath } = await send('html', await tarOf({ 'index.html': '<!doctype html>', [name]: 'deep' }));
    expect(String(await readStored(server, beside(reportPath!, name)))).toBe('deep');
  });

  it('in one folder shows the page in it', async () => {
    const page = '<!doctype html><title>Report</title><p>the page';
    const { reportPath } = await send('html', await zipOf({ 'out/index.html': page, 'out/a.txt': 'a' }));
    expect(reportPath).toMatch(/\/index\.html$/);
    await expectFiles(reportPath!, { 'index.html': page, 'a.txt': 'a' });
  });

  it('holds no more than was in it', async () => {
    const { reportPath } = await send('html', await zipOf({ 'index.html': '<!doctype html>', 'data/a.txt': 'a' }));
    for (const name of ['data', 'data/', 'other.txt', 'data/a.txt/', 'data/A.txt', 'INDEX.HTML', '']) {
      const { status } = await rawRequest(server, filePath(beside(reportPath!, name)));
      expect(status, name).toBe(404);
    }
  });
});

describe('a single file', () => {
  it.each(['<!DOCTYPE html><p>x', '<html><p>x', '\n  <!doctype HTML>\n<p>x', '\ufeff<!doctype html><p>x'])(
    'of HTML is the page: %j',
    async (content) => {
      const { reportPath } = await send('monocart', content, 'whatever');
      const { headers, body } = await rawRequest(server, filePath(reportPath!));
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(String(body)).toContain('<p>x');
    },
  );

  it.each<[string, string | Buffer]>([
    ['text', 'just some text'],
    ['JSON', '{"a":[1,2,3]}'],
    ['bytes', uniqueBytes(10_000)],
    ['one byte', 'P'],
    ['the two bytes that a zip begins with', 'PK'],
    ['gzip of one text', gzipSync('only a text, and no archive at all: much longer than a header')],
    ['a PDF', '%PDF-1.7\n'],
    ['zeros', Buffer.alloc(300)],
  ])('of %s is kept as it is', async (_, content) => {
    const { reportPath } = await send('other', content, 'report.dat');
    expect(await readStored(server, reportPath!)).toEqual(Buffer.from(content));
  });
});

describe('a blob report', () => {
  it('is kept as the zip it is', async () => {
    const zip = await zipOf({ 'report.jsonl': '{"a":1}\n'.repeat(500), 'resources/x.png': uniqueBytes(500) });
    const { reports, reportPath } = await send('blob', zip, 'shard.zip');
    expect(reports[0]!.path).toMatch(/\.zip$/);
    expect(reportPath).toBe(reports[0]!.path);
    expect(await readStored(server, reportPath!)).toEqual(zip);
    expect((await rawRequest(server, filePath(reportPath!))).headers['content-type']).toBe('application/zip');
  });

  it('without a name ends in .zip too', async () => {
    const zip = await zipOf({ 'report.jsonl': '{}' });
    const { reportPath } = await upload(server, [...textFields(), { name: 'report_blob', content: zip }]);
    expect(reportPath).toMatch(/\.zip$/);
    expect(await readStored(server, reportPath!)).toEqual(zip);
  });

  it.each<[string, (files: Files) => Buffer | Promise<Buffer>]>([
    ['tar.gz', tarGzOf],
    ['tar', tarOf],
    ['length-prefixed archive', lengthPrefixedOf],
  ])('inside a %s is its first zip', async (_, wrap) => {
    const [first, second] = [await zipOf({ 'report.jsonl': '{}' }), await zipOf({ 'report.jsonl': '[]' })];
    const { reportPath } = await send('blob', await wrap({ 'notes.txt': 'x', 'a/1.zip': first, 'a/2.zip': second }));
    expect(reportPath).toMatch(/\.zip$/);
    expect(await readStored(server, reportPath!)).toEqual(first);
  });
});

describe('a trace', () => {
  it('is kept byte for byte, whatever it holds', async () => {
    const hostile = await zipOf({ 'a.txt': 'a' });
    for (const content of [
      hostile,
      await tarGzOf(FILES),
      '<!doctype html>',
      uniqueBytes(20_000),
      Buffer.alloc(5_000),
    ]) {
      const answer = await upload(server, [...textFields(), file('trace_0', content, 'x.html')]);
      expect(await readStored(server, answer.traces[0]!.path)).toEqual(Buffer.from(content));
    }
  });
});
