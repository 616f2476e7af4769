import { hasZipEntry } from '../zip/zip-entry.ts';
import { importCtrf, isCtrf } from './ctrf.ts';
import { describeContent } from './describe-content.ts';
import { importGoTest } from './go-test.ts';
import type { ImportContext, Imported, Importer } from './imported.ts';
import { nothingImported, problem } from './imported.ts';
import { importJestJson, isJestJson } from './jest-json.ts';
import { type Fields, isFields, jsonStart, parseJsonLine, readJson } from './json.ts';
import { importJunit } from './junit.ts';
import { REPORT_ENTRY, importPlaywrightBlob } from './playwright-blob.ts';
import { importPlaywrightJson, isPlaywrightJson } from './playwright-json.ts';
import { type Source, headText } from './source.ts';
import { importTap } from './tap.ts';

export type Format =
  | 'JUnit XML'
  | 'CTRF'
  | 'Playwright JSON'
  | 'Playwright blob'
  | 'Jest or Vitest JSON'
  | 'Go test JSON'
  | 'TAP';

export type Recognised =
  | { readonly ok: true; readonly format: Format; read(context: ImportContext): Promise<Imported> }
  /** What was seen instead. */
  | { readonly ok: false; readonly seen: string };

const JSON_REPORTS: readonly {
  readonly format: Format;
  is(report: Fields): boolean;
  read(report: Fields, context: ImportContext): Imported;
  /** For one that breaks off. */
  readonly mark: RegExp;
}[] = [
  {
    format: 'CTRF',
    is: isCtrf,
    read: importCtrf,
    mark: /"reportFormat"\s*:\s*"CTRF"|^\s*\{\s*"results"\s*:\s*\{\s*"tool"/,
  },
  {
    format: 'Playwright JSON',
    is: isPlaywrightJson,
    read: importPlaywrightJson,
    mark: /^\s*\{\s*"config"\s*:[^]*"rootDir"/,
  },
  {
    format: 'Jest or Vitest JSON',
    is: isJestJson,
    read: importJestJson,
    mark: /^\s*\{\s*"num(?:Failed|Total)TestSuites"/,
  },
];

/** What a file is, by its content alone. */
export const recognise = async (source: Source): Promise<Recognised> => {
  const { head } = source;
  if (head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return recogniseZip(source);
  const text = headText(source).replace(/^\uFEFF/, '');
  if (/<(?:\w+:)?testsuites?[\s/>]/.test(text) && text.trimStart().startsWith('<') && isJunitRoot(text)) {
    return reader('JUnit XML', importJunit, source);
  }
  if (isGoTest(text)) return reader('Go test JSON', importGoTest, source);
  if (/^\s*\{"method":"on(?:BlobReportMetadata|Configure)"/.test(text)) {
    return reader('Playwright blob', importPlaywrightBlob, source);
  }
  if (/^\s*[{[]/.test(text.slice(jsonStart(text)))) return recogniseJson(source, text.slice(jsonStart(text)));
  if (isTap(text)) return reader('TAP', importTap, source);
  return { ok: false, seen: describeContent(source, text) };
};

const reader = (format: Format, read: Importer, source: Source): Recognised => ({
  ok: true,
  format,
  read: (context) => read(source, context),
});

const recogniseZip = async (source: Source): Promise<Recognised> => {
  if (await hasZipEntry(source.path, REPORT_ENTRY)) return reader('Playwright blob', importPlaywrightBlob, source);
  return { ok: false, seen: `a zip archive without ${REPORT_ENTRY}, or a broken one: not a blob report of Playwright` };
};

const recogniseJson = async (source: Source, text: string): Promise<Recognised> => {
  const json = await readJson(source);
  if (json.ok) {
    const report = isFields(json.value) ? json.value : {};
    const found = JSON_REPORTS.find(({ is }) => is(report));
    if (found) return { ok: true, format: found.format, read: async (context) => found.read(report, context) };
    return { ok: false, seen: describeContent(source, text) };
  }
  const marked = JSON_REPORTS.find(({ mark }) => mark.test(text));
  if (marked === undefined) return { ok: false, seen: `${describeContent(source, text)} (${json.message})` };
  const broken = nothingImported([problem(json.message, json.line)]);
  return { ok: true, format: marked.format, read: async () => broken };
};

/** The first element, behind declarations and comments. */
const isJunitRoot = (text: string): boolean => {
  const rest = text.replace(/<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE[^[>]*(?:\[[^]*?\]\s*)?>/g, '').trimStart();
  return /^<(?:\w+:)?testsuites?[\s/>]/.test(rest);
};

const isGoTest = (text: string): boolean =>
  text.split('\n', 200).some((line) => {
    if (!/^\{"(?:Time|Action|ImportPath|Package)":/.test(line)) return false;
    const event = parseJsonLine(line);
    return isFields(event) && typeof event['Action'] === 'string';
  });

/** The lines that make a file TAP may stand behind the banner of whatever ran the tests. */
const isTap = (text: string): boolean => {
  if (/^TAP version \d+\s*$/im.test(text)) return true;
  if (PLAIN_GO_RESULT.test(text)) return false;
  const hasPoint = /^(?:not )?ok(?:\s|$)/m.test(text);
  if (/^1\.\.\d+\s*(?:#.*)?$/m.test(text)) return hasPoint || /^1\.\.0\s*(?:#|$)/m.test(text);
  // Without a plan, which a file that was cut off may lack, nothing else may stand before the first result.
  return hasPoint && /^(?:[ \t\r]*(?:#.*)?\n)*(?:not )?ok(?:[ \t]+(?:\d+|-|\w)|[ \t\r]*\n)/.test(text);
};

const PLAIN_GO_RESULT = /^(?:ok|FAIL|\?)\s+\S+\s+(?:\d+(?:\.\d+)?s|\(cached\)|\[)/m;
