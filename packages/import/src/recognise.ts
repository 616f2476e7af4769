import { importAllureResult, importAllureSurroundings, isAllureResult, isAllureSurroundings } from './allure.ts';
import { importCtrf, isCtrf } from './ctrf.ts';
import { importCucumber, isCucumber } from './cucumber.ts';
import { describeContent } from './describe-content.ts';
import { importGoTest } from './go-test.ts';
import type { ImportContext, Imported, Importer } from './imported.ts';
import { nothingImported, problem } from './imported.ts';
import { importJestJson, isJestJson } from './jest-json.ts';
import { type Fields, isFields, jsonStart, parseJsonLine, readJson } from './json.ts';
import { importJunit } from './junit.ts';
import { importMochaJson, importMochawesome, isMochaJson, isMochawesome } from './mocha.ts';
import { importNunit } from './nunit.ts';
import { REPORT_ENTRY, importPlaywrightBlob } from './playwright-blob.ts';
import { importPlaywrightJson, isPlaywrightJson } from './playwright-json.ts';
import { importRobot } from './robot.ts';
import { importRspec, isRspec } from './rspec.ts';
import { type Source, headText, unknownEncoding } from './source.ts';
import { importSubunit, isSubunit } from './subunit.ts';
import { importTap } from './tap.ts';
import { importTestng } from './testng.ts';
import { importTrx } from './trx.ts';
import { importXunitNet } from './xunit-net.ts';
import { hasZipEntry } from './zip-entry.ts';

export type Format =
  | 'JUnit XML'
  | 'TestNG'
  | 'TRX'
  | 'NUnit'
  | 'xUnit.net'
  | 'Robot Framework'
  | 'CTRF'
  | 'Playwright JSON'
  | 'Playwright blob'
  | 'Jest or Vitest JSON'
  | 'Mocha JSON'
  | 'mochawesome'
  | 'Cucumber JSON'
  | 'RSpec JSON'
  | 'Allure results'
  | 'Go test JSON'
  | 'TAP'
  | 'subunit';

/** By the name of the first element. */
const XML_REPORTS: Readonly<Record<string, { readonly format: Format; readonly read: Importer }>> = {
  testsuites: { format: 'JUnit XML', read: importJunit },
  testsuite: { format: 'JUnit XML', read: importJunit },
  'testng-results': { format: 'TestNG', read: importTestng },
  TestRun: { format: 'TRX', read: importTrx },
  'test-run': { format: 'NUnit', read: importNunit },
  assemblies: { format: 'xUnit.net', read: importXunitNet },
  assembly: { format: 'xUnit.net', read: importXunitNet },
  robot: { format: 'Robot Framework', read: importRobot },
};

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
  { format: 'mochawesome', is: isMochawesome, read: importMochawesome, mark: /^\s*\{\s*"stats"[^]*"testsRegistered"/ },
  { format: 'Mocha JSON', is: isMochaJson, read: importMochaJson, mark: /^\s*\{\s*"stats"\s*:\s*\{\s*"suites"/ },
  { format: 'RSpec JSON', is: isRspec, read: importRspec, mark: /^\s*\{\s*"version"[^]*"examples"\s*:/ },
  { format: 'Allure results', is: isAllureResult, read: importAllureResult, mark: /^\s*\{\s*"uuid"[^]*"historyId"/ },
  {
    format: 'Allure results',
    is: isAllureSurroundings,
    read: importAllureSurroundings,
    mark: /^\s*\{\s*"uuid"[^]*"children"/,
  },
];

/** What a file is, by its content alone. */
export const recognise = async (source: Source): Promise<Recognised> => {
  const { head } = source;
  if (head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return recogniseZip(source);
  const text = headText(source).replace(/^\uFEFF/, '');
  if (isSubunit(head)) return reader('subunit', importSubunit, source);
  const encoding = unknownEncoding(head);
  if (encoding !== null) return { ok: false, seen: `a text in ${encoding}: convert it to UTF-8` };
  const xml = XML_REPORTS[rootOf(text)];
  if (xml !== undefined) return reader(xml.format, xml.read, source);
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
    const { value } = json;
    if (isCucumber(value)) {
      return { ok: true, format: 'Cucumber JSON', read: async (context) => importCucumber(value, context) };
    }
    const report = isFields(value) ? value : {};
    const found = JSON_REPORTS.find(({ is }) => is(report));
    if (found) return { ok: true, format: found.format, read: async (context) => found.read(report, context) };
    return { ok: false, seen: describeContent(source, text) };
  }
  const marked = JSON_REPORTS.find(({ mark }) => mark.test(text));
  if (marked === undefined) return { ok: false, seen: `${describeContent(source, text)} (${json.message})` };
  const broken = nothingImported([problem(json.message, json.line)]);
  return { ok: true, format: marked.format, read: async () => broken };
};

/** The name of the first element, behind declarations and comments. */
const rootOf = (text: string): string => {
  if (!text.trimStart().startsWith('<')) return '';
  const rest = text.replace(/<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE[^[>]*(?:\[[^]*?\]\s*)?>/g, '').trimStart();
  return /^<(?:\w+:)?([\w-]+)[\s/>]/.exec(rest)?.[1] ?? '';
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
