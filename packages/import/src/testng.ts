import type { SubmittedCase } from '@assay/contract';
import { type Attempt, type CaseDraft, type CaseStatus, buildCase } from './build-case.ts';
import { type Importer, finishReport } from './imported.ts';
import { timeOf } from './json.ts';
import { createPackedLists } from './packed-lists.ts';
import { type Span, durationOf, emptySpan, joinSpans } from './spans.ts';
import { MAX_ERROR, MAX_OUTPUT, copyOf, trimText } from './texts.ts';
import { type XmlElement, childOf, childrenOf, readElements, textAt } from './xml-elements.ts';

interface Try {
  readonly title: string;
  readonly className: string;
  readonly status: CaseStatus;
  readonly attempt: Attempt;
  /** TestNG tells a try that it repeats as skipped, newer versions also as retried. */
  readonly mayBeRepeated: boolean;
}

/** The `testng-results.xml` of TestNG. */
export const importTestng: Importer = async (source, { root }) => {
  const methods = createPackedLists<Try>();
  let span: Span = emptySpan;
  let runnerFailed = false;
  const problems = await readElements(source, {
    whole: new Set(['test-method']),
    open(name, attributes) {
      if (name === 'testng-results') runnerFailed = Number(attributes['failed'] ?? 0) > 0;
      else if (name === 'suite') {
        const startMs = timeOf(isoOf(attributes['started-at']));
        span = joinSpans(span, { startMs, durationMs: durationOf(Number(attributes['duration-ms'])) });
      }
    },
    take(method, around) {
      const className = around.findLast(({ name }) => name === 'class')?.attributes['name'] ?? '';
      const read = readTry(method, className);
      // A method that only prepares is told when it fails: the tests behind it are skipped and say nothing.
      if (method.attributes['is-config'] === 'true' && read.status !== 'failed') return;
      methods.add(copyOf(`${className}\n${read.title}`), read);
    },
  });
  const cases: SubmittedCase[] = [];
  for (const { items } of methods.takeAll()) {
    for (const draft of draftsOf(items)) cases.push(buildCase(draft, root));
  }
  return finishReport({
    cases,
    startTimeMs: span.startMs,
    durationMs: span.durationMs,
    runnerFailed,
    problems,
  });
};

/** The file does not list tries in the order in which they were made. */
const draftsOf = (tries: readonly Try[]): CaseDraft[] => {
  const repeated = tries.filter(({ mayBeRepeated }) => mayBeRepeated);
  const final = tries.filter(({ mayBeRepeated }) => !mayBeRepeated);
  const place = { file: tries[0]!.className };
  if (final.length !== 1) return tries.map(({ title, attempt }) => ({ titles: [title], place, attempts: [attempt] }));
  const failed = repeated.map(({ attempt }) => ({ ...attempt, status: 'failed' }));
  return [{ titles: [final[0]!.title], place, attempts: [...failed, final[0]!.attempt] }];
};

const readTry = (method: XmlElement, className: string): Try => {
  const { attributes } = method;
  const status = statusOf(attributes['status']);
  return {
    title: `${attributes['name'] ?? ''}${parametersOf(method)}`,
    className,
    status,
    attempt: attemptOf(method, status),
    mayBeRepeated:
      attributes['retried'] === 'true' || (status === 'skipped' && childOf(method, 'exception') !== undefined),
  };
};

const statusOf = (status: string | undefined): CaseStatus =>
  status === 'PASS' ? 'passed' : status === 'SKIP' ? 'skipped' : 'failed';

const attemptOf = (method: XmlElement, status: string): Attempt => {
  const exception = childOf(method, 'exception');
  const { attributes } = method;
  return {
    status,
    durationMs: Number(attributes['duration-ms']),
    error: trimText(
      textAt(exception, 'full-stacktrace') || textAt(exception, 'message') || exception?.attributes['class'] || '',
      MAX_ERROR,
    ),
    stdout: trimText(
      childrenOf(childOf(method, 'reporter-output'), 'line')
        .map(({ text }) => text.trim())
        .join('\n'),
      MAX_OUTPUT,
    ),
  };
};

/** Of a test that runs with several, so that each is a test of its own. */
const parametersOf = (method: XmlElement): string => {
  const values = childrenOf(childOf(method, 'params'), 'param').map((param) => textAt(param, 'value'));
  return values.length === 0 ? '' : `(${values.join(', ')})`;
};

/** `2026-01-02T03:04:05 UTC`, in older versions `2026-01-02T03:04:05Z`. */
const isoOf = (text: string | undefined): string | undefined =>
  text?.replace(/ (?:UTC|GMT)$/, 'Z').replace(/ [A-Z]{2,5}$/, '');
