import type { SubmittedCase } from '@assay/contract';
import { type CaseDraft, type CaseStatus, buildCase } from './build-case.ts';
import { type Importer, finishReport } from './imported.ts';
import { timeOf } from './json.ts';
import { secondsOf } from './junit-times.ts';
import { trackSuites } from './open-suites.ts';
import { type XmlElement, childOf, childrenOf, errorOf, readElements, textAt } from './xml-elements.ts';
import type { Attributes } from './xml.ts';

/** What NUnit 3 and 4 write. */
export const importNunit: Importer = async (source, { root }) => {
  const cases: SubmittedCase[] = [];
  const suites = trackSuites(cases);
  /** Of the open suites. They stand before the tests. */
  const failures: (XmlElement | null)[] = [];
  let startTimeMs: number | null = null;
  let durationMs: number | null = null;
  let runnerFailed = false;
  /** Of a fixture that failed by itself, such as behind its tests; that a test in it failed is told by the test. */
  const closeSuite = (): void => {
    const failure = failures.pop() ?? null;
    const suite = suites.attributes().at(-1)!;
    if (failure !== null && suite['site'] !== 'Child' && suites.firstWithoutFailure() !== null) {
      cases.push(buildCase(suiteFailure(failure, suite), root));
    }
    suites.close();
  };
  const problems = await readElements(source, {
    whole: new Set(['test-case', 'failure']),
    open(name, attributes) {
      if (name === 'test-suite') {
        suites.open(attributes);
        failures.push(null);
      }
      if (name !== 'test-run') return;
      startTimeMs = timeOf(attributes['start-time']?.replace(/ (?=\d)/, 'T').replace(/(?<=\d)$/, 'Z'));
      durationMs = secondsOf(attributes['duration']);
      runnerFailed = /^failed/i.test(attributes['result'] ?? '') || Number(attributes['failed']) > 0;
    },
    take(element) {
      if (element.name === 'test-case') cases.push(buildCase(readCase(element), root));
      else if (failures.length > 0) failures[failures.length - 1] = element;
    },
    close(name) {
      if (name === 'test-suite') closeSuite();
    },
  });
  return finishReport({
    cases,
    startTimeMs,
    durationMs,
    runnerFailed,
    problems,
  });
};

const readCase = (element: XmlElement): CaseDraft => {
  const { attributes } = element;
  const className = attributes['classname'] ?? '';
  const name = attributes['name'] ?? attributes['fullname'] ?? '';
  const status = statusOf(attributes['result'] ?? '', attributes['label'] ?? '');
  const categories = childrenOf(childOf(element, 'properties'), 'property').filter(
    (property) => property.attributes['name'] === 'Category',
  );
  const reason = textAt(element, 'reason', 'message');
  return {
    titles: [name],
    place: className === '' ? undefined : { file: className },
    attempts: [
      {
        status,
        durationMs: secondsOf(attributes['duration']),
        error: errorOf(textAt(element, 'failure', 'message'), textAt(element, 'failure', 'stack-trace')),
        stdout: textAt(element, 'output'),
      },
    ],
    tags: categories.flatMap(({ attributes: { value } }) => value ?? []),
    annotations: status === 'skipped' && reason !== '' ? [{ type: 'skip', description: reason }] : [],
  };
};

const statusOf = (result: string, label: string): CaseStatus => {
  switch (result.toLowerCase()) {
    case 'passed':
    case 'success':
    case 'warning':
      return 'passed';
    case 'skipped':
    case 'ignored':
    case 'inconclusive':
      return 'skipped';
    default:
      return /cancelled/i.test(label) ? 'interrupted' : 'failed';
  }
};

const suiteFailure = (failure: XmlElement, suite: Attributes): CaseDraft => ({
  titles: [`(${(suite['site'] ?? 'suite').toLowerCase()} of ${suite['name'] ?? 'the suite'})`],
  place: suite['fullname'] ? { file: suite['fullname'] } : undefined,
  attempts: [{ status: 'failed', error: errorOf(textAt(failure, 'message'), textAt(failure, 'stack-trace')) }],
});
