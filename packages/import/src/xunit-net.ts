import type { SubmittedCase } from '@assay/contract';
import { type CaseDraft, type CaseStatus, buildCase } from './build-case.ts';
import { type Importer, finishReport } from './imported.ts';
import { timeOf } from './json.ts';
import { secondsOf } from './junit-times.ts';
import { type Span, emptySpan, joinSpans } from './spans.ts';
import { type XmlElement, childOf, childrenOf, errorOf, readElements, textAt } from './xml-elements.ts';

/** What xUnit.net 2 and 3 write as XML. */
export const importXunitNet: Importer = async (source, { root }) => {
  const cases: SubmittedCase[] = [];
  /** What failed outside of all tests: a fixture that could not be disposed of, a crash. */
  const errors: string[] = [];
  let span: Span = emptySpan;
  let runnerFailed = false;
  const problems = await readElements(source, {
    whole: new Set(['test', 'error']),
    open(name, attributes) {
      if (name !== 'assembly') return;
      const { 'run-date': date, 'run-time': time } = attributes;
      const startMs = timeOf(attributes['start-rtf'] ?? (date && time ? `${date}T${time}Z` : undefined));
      span = joinSpans(span, { startMs, durationMs: secondsOf(attributes['time']) });
      runnerFailed ||= Number(attributes['failed'] ?? 0) + Number(attributes['errors'] ?? 0) > 0;
    },
    take(element) {
      if (element.name === 'test') cases.push(buildCase(readTest(element), root));
      else errors.push([element.attributes['type'], failureOf(element)].filter(Boolean).join(': '));
    },
  });
  return finishReport({
    cases,
    startTimeMs: span.startMs,
    durationMs: span.durationMs,
    runnerFailed,
    errors,
    problems,
  });
};

const readTest = (element: XmlElement): CaseDraft => {
  const { name = '', type = '', result = '', time } = element.attributes;
  const status = statusOf(result);
  const reason = textAt(element, 'reason');
  return {
    titles: [type !== '' && name.startsWith(`${type}.`) ? name.slice(type.length + 1) : name],
    place: { file: element.attributes['source-file'] ?? type, line: Number(element.attributes['source-line'] ?? NaN) },
    attempts: [{ status, durationMs: secondsOf(time), error: failureOf(element), stdout: textAt(element, 'output') }],
    tags: childrenOf(childOf(element, 'traits'), 'trait').flatMap(({ attributes }) => attributes['value'] ?? []),
    annotations: status === 'skipped' && reason !== '' ? [{ type: 'skip', description: reason }] : [],
  };
};

const statusOf = (result: string): CaseStatus => {
  if (/^pass/i.test(result)) return 'passed';
  return /^(?:skip|notrun)/i.test(result) ? 'skipped' : 'failed';
};

const failureOf = (element: XmlElement): string =>
  errorOf(textAt(element, 'failure', 'message'), textAt(element, 'failure', 'stack-trace'));
