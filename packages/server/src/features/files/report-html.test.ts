import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONGEST_START_BYTES } from './html-start.ts';
import { sandboxedReport, storedFileHeaders } from './report-html.ts';
import { reportShim } from './report-shim.ts';

const KEY = 'k'.repeat(22);
const SHIM = reportShim(KEY).plain;

const served = async (document: Buffer, chunks: readonly Buffer[] = [document]): Promise<Buffer> =>
  buffer(Readable.from(chunks, { objectMode: false }).pipe(sandboxedReport(document, KEY).createStream()));

/** Shows the place of the shim as a bar. */
const marked = async (html: string): Promise<string> =>
  (await served(Buffer.from(html, 'latin1'))).toString('latin1').replace(SHIM.toString('latin1'), '|');

const cut = (document: Buffer, places: readonly number[]): Buffer[] => {
  const ends = [...places.map((place) => place % (document.length + 1)).sort((a, b) => a - b), document.length];
  return ends.map((end, index) => document.subarray(ends[index - 1] ?? 0, end)).filter((chunk) => chunk.length > 0);
};

describe('the shim stands', () => {
  test.each([
    ['<!doctype html><html><head>|<meta charset=utf-8>'],
    ['\n\n<!DOCTYPE html>\n<HTML lang="en">\n <HeAd >|<title>x</title>'],
    ['<html><head profile="a>b" x=\'>\' y=> >|'.replace('y=> >|', 'y=>| >')],
    ['<head a"b>|c">'],
    ['<head a=b"c>|">'],
    ['<head/a="x>">|'],
    ['<head ="a>|">'],
    ['<head x = ">">|'],
    ['<!-- <head> --><head>|'],
    ['<!--><head>|-->'],
    ['<!---><head>|-->'],
    ['<!-- --!><head>|-->'],
    ['<!-- a -- > <head> --><html><!--b--><head>|'],
    ['<?xml version="1.0"?><!doctype html PUBLIC "-//W3C"><head>|'],
    ['<!doctype html>|<header>'],
    ['<!doctype html>|\n<meta charset=utf-8><head>'],
    ['<!doctype html><html class="a">|<body>'],
    ['<!doctype html>|<script>"<head>"</script><head>'],
    ['|plain text'],
    ['|<svg><head>'],
    ['\xef\xbb\xbf<head>|'],
    ['\xef\xbb\xbf|text'],
    ['|'],
    ['|<'],
    ['|<hea'],
    ['|<head'],
    ['|<!-- never ends <head>'],
    ['<!doctype html>|<head x="never ends>'],
    ['|</head><head>'],
    ['|<head\x0b>'],
  ])('%j', async (expected) => {
    expect(await marked(expected.replace('|', ''))).toBe(expected);
  });

  test('before a comment that is too long to wait for', async () => {
    const html = `<!doctype html><!--${' '.repeat(LONGEST_START_BYTES)}--><head>`;
    expect((await marked(html)).startsWith('<!doctype html>|<!--')).toBe(true);
    const fits = `<!doctype html><!--${' '.repeat(LONGEST_START_BYTES - 100)}--><head>`;
    expect(await marked(fits)).toBe(`${fits}|`);
  });

  test('at the same place however the document is cut, and nothing else changes', async () => {
    const piece = fc.oneof(
      fc.constantFrom('<!--', '-->', '--!>', '<head', '<head>', '<html', '>', '"', "'", '=', '/', ' ', '\n', '<', '!'),
      fc.constantFrom('<!doctype html>', '<html lang=en>', '<body>', '<script>', '\xef\xbb\xbf', '\xff', 'é'),
      fc.string({ maxLength: 5 }),
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join('')));
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(), { maxLength: 30 }), async (document, places) => {
        const whole = await served(document);
        expect(await served(document, cut(document, places))).toEqual(whole);
        expect(whole.length).toBe(document.length + (sandboxedReport(document, KEY).injected?.plain.length ?? 0));
        const place = whole.indexOf(SHIM);
        const without =
          place === -1 ? whole : Buffer.concat([whole.subarray(0, place), whole.subarray(place + SHIM.length)]);
        expect(without).toEqual(document);
      }),
    );
  });

  test('at the same place in a large document that comes byte by byte', async () => {
    const document = Buffer.from(`<!--${'x'.repeat(70_000)}--><head>`);
    const bytes = Array.from(document, (_byte, index) => document.subarray(index, index + 1));
    expect(await served(document, bytes)).toEqual(await served(document));
  });
});

describe('a document in UTF-16', () => {
  test.each([
    ['little endian', Buffer.from('\ufeff<head>', 'utf16le')],
    ['big endian', Buffer.from('\ufeff<head>', 'utf16le').swap16()],
    ['without a mark', Buffer.from('<head>', 'utf16le')],
  ])('%s passes unchanged', async (_name, document) => {
    expect(await served(document)).toEqual(document);
    expect(sandboxedReport(document, KEY).injected).toBeNull();
    expect(sandboxedReport(document, KEY).headers['content-type']).toBe('text/html');
  });
});

describe('the headers', () => {
  test('of a page let scripts run and give them no origin', () => {
    const { headers } = sandboxedReport(Buffer.from('<!doctype html>'), KEY);
    expect(headers['content-security-policy']).toContain('sandbox allow-scripts ');
    expect(headers['content-security-policy']).not.toContain('allow-same-origin');
    expect(headers['content-security-policy']).not.toContain('allow-top-navigation');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'accept-ranges': 'none' });
  });

  test.each([
    ['<!doctype html>', 'utf-8'],
    ['<meta charset="ISO-8859-1">', 'iso-8859-1'],
    ["<meta http-equiv='content-type' content='text/html; charset=windows-1252'>", 'windows-1252'],
    ['<meta charset=utf-16>', 'utf-8'],
    [`${' '.repeat(1020)}<meta charset=latin1>`, 'utf-8'],
    ['<meta charset="a\r\nx: y">', 'a'],
  ])('of %j name its encoding', (html, charset) => {
    expect(sandboxedReport(Buffer.from(html), KEY).headers['content-type']).toBe(`text/html; charset=${charset}`);
  });

  test.each([
    'image/svg+xml',
    'application/xml',
    'application/xhtml+xml',
    'text/plain',
    'image/png',
    'application/zip',
  ])('of %s let nothing run', (type) => {
    expect(storedFileHeaders(type)).toMatchObject({
      'content-type': type,
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    });
  });

  test('of PDF leave the viewer of the browser alone', () => {
    expect(storedFileHeaders('application/pdf')).not.toHaveProperty('content-security-policy');
    expect(storedFileHeaders('application/pdfx')).toHaveProperty('content-security-policy');
  });
});
