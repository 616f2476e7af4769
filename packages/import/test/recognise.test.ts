import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import yazl from 'yazl';
import { recognise } from '../src/recognise.ts';
import { openSource } from '../src/source.ts';
import { SAMPLES, listSamples, withFile } from './read-sample.ts';

const formatOf = async (content: string | Uint8Array): Promise<string> =>
  withFile(content, async (path) => {
    const recognised = await recognise(openSource(path));
    return recognised.ok ? recognised.format : `unknown: ${recognised.seen}`;
  });

const FORMATS: readonly [RegExp, string][] = [
  [/^junit/, 'JUnit XML'],
  [/^ctrf/, 'CTRF'],
  [/^playwright\.json$/, 'Playwright JSON'],
  [/^playwright-blob/, 'Playwright blob'],
  [/^(?:jest|vitest)\.json$/, 'Jest or Vitest JSON'],
  [/^go-test/, 'Go test JSON'],
  [/^tap/, 'TAP'],
  [/^testng\/testng-results/, 'TestNG'],
  [/^testng\//, 'JUnit XML'],
  [/^trx/, 'TRX'],
  [/^nunit/, 'NUnit'],
  [/^xunit-net/, 'xUnit.net'],
  [/^robot/, 'Robot Framework'],
  [/^mocha\.json$/, 'Mocha JSON'],
  [/^mochawesome/, 'mochawesome'],
  [/^cucumber/, 'Cucumber JSON'],
  [/^rspec/, 'RSpec JSON'],
  [/^allure\//, 'Allure results'],
  [/^subunit/, 'subunit'],
];

describe('a file is recognised', () => {
  it.each(listSamples())('by its content alone: %s', async (name) => {
    const format = FORMATS.find(([pattern]) => pattern.test(name))?.[1];
    expect(await formatOf(readFileSync(join(SAMPLES, name)))).toBe(format);
  });

  it('with a byte order mark, comments and blank lines before it', async () => {
    expect(await formatOf('\uFEFF\n<!-- <testsuites> -->\n<testsuite/>')).toBe('JUnit XML');
    expect(await formatOf('> shop@1.0.0 test\n\nTAP version 13\n1..0\n')).toBe('TAP');
    expect(await formatOf('# compiling\n{"Time":"2026-03-04T05:06:07Z","Action":"start","Package":"p"}\n')).toBe(
      'Go test JSON',
    );
  });
});

describe('a file that is no report is told by what it looks like', () => {
  it.each([
    ['', 'an empty file'],
    ['<!doctype html><title>x</title>', 'an HTML page: upload it with --report html=<path>'],
    ['<?xml version="1.0"?>\n<coverage line="1"/>', 'an XML document with the root <coverage>'],
    ['<report><testsuite/></report>', 'an XML document with the root <report>'],
    [
      '{"name": "shop", "version": "1.0.0"}',
      'a JSON object with "name", "version", which is not a known report format',
    ],
    ['[1, 2]', 'a JSON array'],
    ['ok  \texample.org/shop\t0.012s\nFAIL\texample.org/x\t0.1s\n', 'plain output of go test: run go test -json'],
    ['Everything is ok today', 'a text in no known format; it starts with "Everything is ok today"'],
    [
      '{"a": ',
      'a JSON object with "a", which is not a known report format; it starts with "{\\"a\\": " (the JSON breaks off)',
    ],
  ])('%j', async (content, seen) => {
    expect(await formatOf(content)).toContain(`unknown: ${seen}`);
  });

  it('an archive', async () => {
    expect(await formatOf(new Uint8Array([0x1f, 0x8b, 8, 0]))).toContain('a gzip file: unpack it first');
    expect(await formatOf(new Uint8Array([0, 1, 2, 0]))).toContain('a binary file');
    const zip = new yazl.ZipFile();
    zip.addBuffer(Buffer.from('x'), 'other.txt');
    zip.end();
    const chunks: Buffer[] = [];
    for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    expect(await formatOf(bytes)).toContain('a zip archive without report.jsonl');
    expect(await formatOf(bytes.subarray(0, 30))).toContain('or a broken one');
  });
});
