import type { SubmittedCase } from '@assay/contract';
import { type CaseDraft, type CaseStatus, buildCase } from './build-case.ts';
import { type Importer, finishReport } from './imported.ts';
import { timeOf } from './json.ts';
import { secondsOf } from './junit-times.ts';
import { trackSuites } from './open-suites.ts';
import { type XmlElement, childOf, childrenOf, readElements } from './xml-elements.ts';
import type { Attributes } from './xml.ts';

/** The `output.xml` of Robot Framework 3 to 7. */
export const importRobot: Importer = async (source, { root }) => {
  const cases: SubmittedCase[] = [];
  const suites = trackSuites(cases);
  let startTimeMs: number | null = null;
  let durationMs: number | null = null;
  let runnerFailed = false;
  /** What Rebot writes has statuses that are final. */
  let isFinal = false;
  const failFrom = (first: number, error: string): void => {
    for (let at = first; at < cases.length; at++) {
      if (cases[at]!.status === 'passed') cases[at] = { ...cases[at]!, status: 'failed', error };
    }
  };
  /** Robot Framework counts all tests of a suite as failed whose teardown failed, but has written them as passed before. */
  const takeKeyword = (keyword: XmlElement): void => {
    const isTeardown = keyword.attributes['type']?.toLowerCase() === 'teardown';
    const status = childOf(keyword, 'status');
    if (isFinal || !isTeardown || status?.attributes['status'] !== 'FAIL') return;
    failFrom(suites.firstCase(), `Parent suite teardown failed: ${status.text.trim()}`);
  };
  const takeStatus = (status: XmlElement): void => {
    if (status.attributes['status'] !== 'FAIL') return;
    runnerFailed = true;
    if (!isFinal) failFrom(suites.firstWithoutFailure() ?? cases.length, `Parent suite failed: ${status.text.trim()}`);
  };
  const problems = await readElements(source, {
    // Keywords of a suite are its setup and teardown.
    whole: new Set(['test', 'status', 'kw']),
    open(name, attributes) {
      if (name === 'suite') suites.open(attributes);
      // Of all statistics, the total is the first.
      if (name === 'stat') runnerFailed ||= Number(attributes['fail']) > 0;
      if (name === 'robot') isFinal = /^Rebot\b/.test(attributes['generator'] ?? '');
    },
    take(element, around) {
      if (element.name === 'test') cases.push(buildCase(readTest(element, suites.attributes()), root));
      else if (element.name === 'kw' && around.at(-1)?.name === 'suite') takeKeyword(element);
      else if (element.name === 'status' && around.at(-1)?.name === 'suite') {
        takeStatus(element);
        if (suites.attributes().length === 1) {
          startTimeMs = startOf(element.attributes);
          durationMs = durationOf(element.attributes);
        }
      }
    },
    close(name) {
      if (name === 'suite') suites.close();
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

const readTest = (test: XmlElement, suites: readonly Attributes[]): CaseDraft => {
  const status = childOf(test, 'status');
  const names = suites.slice(1).map(({ name }) => name ?? '');
  const file = suites.findLast((suite) => suite['source'])?.['source'];
  const tags = [...childrenOf(test, 'tag'), ...childrenOf(childOf(test, 'tags'), 'tag')];
  const message = status?.text.trim() ?? '';
  const told = statusOf(status?.attributes['status']);
  return {
    titles: [...names, test.attributes['name'] ?? ''],
    place: file === undefined ? undefined : { file, line: Number(test.attributes['line'] ?? NaN) },
    attempts: [{ status: told, durationMs: durationOf(status?.attributes ?? {}), error: message }],
    tags: tags.map(({ text }) => text.trim()),
    annotations: told === 'skipped' && message !== '' ? [{ type: 'skip', description: message }] : [],
  };
};

const statusOf = (status: string | undefined): CaseStatus => {
  if (status === 'PASS') return 'passed';
  return status === 'SKIP' || status === 'NOT RUN' ? 'skipped' : 'failed';
};

/** Version 7 writes `start` and `elapsed`, earlier ones `20260102 03:04:05.678` at both ends; all in local time. */
const startOf = ({ start, starttime }: Attributes): number | null =>
  timeOf(start ?? starttime?.replace(/^(\d{4})(\d\d)(\d\d) /, '$1-$2-$3T'));

const durationOf = (attributes: Attributes): number | null => {
  if (attributes['elapsed'] !== undefined) return secondsOf(attributes['elapsed']);
  const start = startOf(attributes);
  const end = startOf({ starttime: attributes['endtime'] ?? '' });
  return start === null || end === null ? null : Math.max(0, end - start);
};
