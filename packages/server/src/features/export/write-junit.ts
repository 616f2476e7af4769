import { stripVTControlCharacters } from 'node:util';
import { EXPORTS, outcomeOf } from '@assay/contract';
import { type ExportedCase, type ExportedRun, readExported } from './exported-run.ts';

/** Suites are by file and browser, which is where Playwright's reports have it. One of them may come in several pieces. */
export async function* writeJunit({ run, projectName, cases }: ExportedRun): AsyncGenerator<string> {
  const time = run.duration === null ? '' : ` time="${run.duration / 1000}"`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<!-- ${EXPORTS.junit.loss} -->\n`;
  yield `<testsuites id="run-${run.id}" name=${attribute(projectName)} timestamp="${run.startTime}"${time}>\n`;
  for await (const some of cases({ withDetails: true })) {
    const suites = Map.groupBy(some, ({ result: { filePath, browser } }) => JSON.stringify([filePath, browser]));
    yield [...suites.values()].map(writeSuite).join('');
  }
  yield '</testsuites>\n';
}

const writeSuite = (cases: readonly ExportedCase[]): string => {
  const { filePath, browser } = cases[0]!.result;
  const count = (outcome: string): number => cases.filter(({ result }) => kindOf(result.status) === outcome).length;
  const counts = `tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}"`;
  const host = browser === null ? '' : ` hostname=${attribute(browser)}`;
  return `<testsuite name=${attribute(filePath)}${host} ${counts}>\n${cases.map(writeCase).join('')}</testsuite>\n`;
};

/** What cannot be told is skipped rather than passed. */
const kindOf = (status: string): 'passed' | 'failed' | 'skipped' => {
  const outcome = outcomeOf(status);
  return outcome === 'other' ? 'skipped' : outcome;
};

const writeCase = (exported: ExportedCase): string => {
  const { title, status, duration, filePath, line, column, tags } = exported.result;
  const { annotations, last } = readExported(exported);
  const attributes = [
    `name=${attribute(title)}`,
    `classname=${attribute(filePath)}`,
    ...(line === null ? [] : [`line="${line}"`]),
    ...(column === null ? [] : [`column="${column}"`]),
    ...(duration === null ? [] : [`time="${duration / 1000}"`]),
  ];
  const properties = [
    ...tags.map((tag) => ({ name: 'tag', value: tag })),
    ...annotations.map(({ type, description }) => ({ name: type, value: description ?? '' })),
  ].map(({ name, value }) => `<property name=${attribute(name)} value=${attribute(value)}/>`);
  const inner = [
    ...(properties.length > 0 ? [`<properties>${properties.join('')}</properties>`] : []),
    ...(kindOf(status) === 'skipped' ? [writeSkipped(status)] : writeAttempts(exported)),
    ...(last.stdout === '' ? [] : [`<system-out>${content(last.stdout)}</system-out>`]),
    ...(last.stderr === '' ? [] : [`<system-err>${content(last.stderr)}</system-err>`]),
  ];
  return inner.length === 0
    ? `<testcase ${attributes.join(' ')}/>\n`
    : `<testcase ${attributes.join(' ')}>\n${inner.join('\n')}\n</testcase>\n`;
};

const writeSkipped = (status: string): string =>
  status === 'skipped' ? '<skipped/>' : `<skipped message=${attribute(status)}/>`;

/** As Surefire writes them: of a failed test the first failure, then those of its reruns; of a flaky one all before the last. */
const writeAttempts = (exported: ExportedCase): string[] => {
  const { status, error } = exported.result;
  const { earlier } = readExported(exported);
  if (outcomeOf(status) === 'passed') {
    return earlier.map((attempt) => writeFailure('flakyFailure', attempt.status ?? 'failed', attempt.error));
  }
  const all = [...earlier.map((attempt) => ({ ...attempt, status: attempt.status ?? 'failed' })), { status, error }];
  return all.map((attempt, at) => writeFailure(at === 0 ? 'failure' : 'rerunFailure', attempt.status, attempt.error));
};

const writeFailure = (name: string, status: string, error: string | null): string => {
  const type = status === 'timedOut' ? 'testTimeoutFailure' : status;
  const first = (error ?? '').split('\n', 1)[0]!;
  return `<${name} type=${attribute(type)} message=${attribute(first)}>${content(error ?? '')}</${name}>`;
};

/** XML has no other characters. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const content = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(FORBIDDEN, '\uFFFD')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!)
    .replaceAll('\r', '&#13;');

/** With its quotes. A reader would make spaces of line ends. */
const attribute = (text: string): string => `"${content(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`;
