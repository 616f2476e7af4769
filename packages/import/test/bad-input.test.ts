import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilesRead, importFiles } from '../src/import-files.ts';
import { ROOT } from './read-sample.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'assay-bad-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const JUNIT = '<testsuite name="a"><testcase name="adds up: ä"/></testsuite>';

const read = (name: string, content: string | Buffer): Promise<FilesRead> => {
  writeFileSync(join(folder, name), content);
  return importFiles([join(folder, name)], { root: ROOT });
};
const titlesIn = (files: FilesRead): string[] =>
  files.ok ? files.runs.flatMap(({ cases }) => cases.map(({ title }) => title)) : [];
const problemsIn = (files: FilesRead): readonly string[] => (files.ok ? [] : files.problems);
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

describe('an encoding', () => {
  it.each([
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${JUNIT}`)],
    ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(JUNIT)])],
    ['UTF-16 with a mark, big-endian', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(JUNIT)]).swap16()],
    ['Latin-1', Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${JUNIT}`, 'latin1')],
  ])('that is known is read: %s', async (_name, content) => {
    expect(titlesIn(await read('known.xml', content))).toEqual(['adds up: ä']);
  });

  it.each([
    ['UTF-16 without a byte order mark', utf16(JUNIT)],
    ['UTF-16 without a byte order mark', utf16(JUNIT).swap16()],
    ['UTF-32', Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from(JUNIT)])],
    ['EBCDIC-INT', Buffer.from(`<?xml version="1.0" encoding="EBCDIC-INT"?>${JUNIT}`)],
  ])('that is not is told: %s', async (encoding, content) => {
    expect(problemsIn(await read('unknown.xml', content))).toEqual([
      `${join(folder, 'unknown.xml')} is not a report: it is a text in ${encoding}: convert it to UTF-8`,
    ]);
  });
});

it('entities that a document declares are never expanded', async () => {
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
  const xml = `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}<!ENTITY x SYSTEM "file:///etc/passwd">]>
    <testsuite><testcase name="&l9;"><failure message="&x;">&l9;</failure></testcase></testsuite>`;
  const files = await read('laughs.xml', xml);
  expect(titlesIn(files)).toEqual(['&l9;']);
  expect(JSON.stringify(files)).not.toContain('root:');
});

it('a name with control characters is shown without them', async () => {
  const name = 'a\u001b[31m\nb.txt';
  expect(problemsIn(await read(name, 'hello'))).toEqual([expect.stringContaining('a�[31m�b.txt is not a report')]);
});

it('two runs in one file are one run with the results of both', async () => {
  const files = await read('two.xml', `${JUNIT}\n<?xml version="1.0"?>\n${JUNIT.replace('adds up', 'pays')}`);
  expect(titlesIn(files)).toEqual(['adds up: ä', 'pays: ä']);
});

it('a folder of very many files is read, and each that is left out is not told by itself', async () => {
  const many = join(folder, 'many');
  mkdirSync(many);
  const junk = 4_000;
  for (let at = 0; at < junk; at++) writeFileSync(join(many, `${at}.xml`), at % 2 === 0 ? JUNIT : '<coverage/>');
  const files = await importFiles([many], { root: ROOT });
  if (!files.ok) throw new Error(files.problems.join());
  expect(files.runs[0]!.cases).toHaveLength(junk / 2);
  expect(files.warnings).toHaveLength(6);
  expect(files.warnings.at(-1)).toBe(`${junk / 2 - 5} more files were left out`);
  expect(files.damage).toEqual([]);
});
