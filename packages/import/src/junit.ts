import type { SubmittedCase } from '@assay/contract';
import type { ImportedAttachment, ToldAttachment } from './attached.ts';
import { isFailure } from './build-case.ts';
import { foldGoReruns } from './go-reruns.ts';
import { type Importer, type Problem, problem, requireRoom } from './imported.ts';
import { type JunitCase, type JunitSuite, attachmentsOf, finishJunitCase, startJunitCase } from './junit-case.ts';
import { secondsOf, timestampOf } from './junit-times.ts';
import { textOf } from './source.ts';
import { type Span, emptySpan, joinSpans } from './spans.ts';
import { type Attributes, readXml } from './xml.ts';

const MAX_PROBLEMS = 5;
/** Of all tests that passed. */
const MAX_PASSED_OUTPUT = 8 * 1024 * 1024;

/** JUnit XML of any tool: several roots, suites in suites, the elements that Surefire writes for reruns. */
export const importJunit: Importer = async (source, { root }) => {
  const cases: SubmittedCase[] = [];
  const problems: Problem[] = [];
  const suites: JunitSuite[] = [];
  let whole: Attributes = {};
  let span: Span = emptySpan;
  /** Of the suites that are read, which one element may be around. */
  let suitesSpan: Span = emptySpan;
  let wholeSpan: Span = emptySpan;
  let outputLeft = MAX_PASSED_OUTPUT;
  let current: JunitCase | null = null;
  let suiteFailure: JunitCase | null = null;
  /** As the elements around the cases count them. */
  let declaredFailures = 0;
  const attachedTo = new Map<SubmittedCase, ToldAttachment[]>();
  const goCases = new Set<SubmittedCase>();

  const openSuite = (attributes: Attributes): void => {
    declaredFailures = Math.max(declaredFailures, failuresIn(attributes));
    const suite: JunitSuite = {
      name: attributes['name'] ?? '',
      file: attributes['file'] ?? attributes['filepath'],
      hostname: attributes['hostname'],
      isOfPlaywright: 'id' in whole && 'hostname' in attributes,
      isOfGo: false,
    };
    if (suites.length === 0) suitesSpan = joinSpans(suitesSpan, spanOf(attributes));
    suites.push(suite);
  };
  const closeSpan = (): void => {
    span = joinSpans(span, spanOfAll(wholeSpan, suitesSpan));
    suitesSpan = emptySpan;
    wholeSpan = emptySpan;
  };
  const finishCase = (done: JunitCase): void => {
    const built = finishJunitCase(done, root);
    const length = done.output('system-out').length + done.output('system-err').length;
    // A run of thousands of talkative tests must fit into memory and into one submission.
    if (built.status === 'passed' && built.retries === 0 && length > outputLeft) delete built.attempts;
    else outputLeft -= length;
    const attached = attachmentsOf(done);
    if (attached.length > 0) attachedTo.set(built, attached);
    cases.push(built);
    requireRoom(cases.length);
    if (done.suites.some(({ isOfGo }) => isOfGo)) goCases.add(built);
  };

  const xml = readXml({
    open(name, attributes) {
      if (current !== null) current.open(name, attributes);
      else if (suiteFailure !== null) suiteFailure.open(name, attributes);
      else if (name === 'testsuites') {
        closeSpan();
        whole = attributes;
        declaredFailures = Math.max(declaredFailures, failuresIn(attributes));
        wholeSpan = spanOf(attributes);
      } else if (name === 'testsuite') openSuite(attributes);
      else if (name === 'property' && attributes['name'] === 'go.version') markAsGo(suites);
      else if (name === 'testcase') current = startJunitCase(attributes, suites);
      else if ((name === 'failure' || name === 'error') && suites.length > 0) {
        // A suite that could not be set up has no case to tell it.
        suiteFailure = startJunitCase({ name: suites[suites.length - 1]!.name }, suites);
        suiteFailure.open(name, attributes);
      }
    },
    text: (text) => (current ?? suiteFailure)?.text(text),
    close(name) {
      if (current !== null) {
        if (name === 'testcase' && current.isAtTop()) {
          finishCase(current);
          current = null;
        } else current.close(name);
      } else if (suiteFailure !== null) {
        suiteFailure.close(name);
        if (!suiteFailure.isAtTop()) return;
        finishCase(suiteFailure);
        suiteFailure = null;
      } else if (name === 'testsuite') suites.pop();
      else if (name === 'testsuites') closeSpan();
    },
    broken(message, line) {
      if (problems.length < MAX_PROBLEMS) problems.push(problem(message, line));
    },
  });
  for await (const text of textOf(source)) xml.write(text);
  xml.end();
  closeSpan();

  const isGreener = declaredFailures > 0 && !cases.some(({ status }) => isFailure(status));
  if (isGreener && problems.length === 0) {
    problems.push(problem(`it counts ${declaredFailures} failures but lists no test that failed`));
  }
  const folded = foldGoReruns(cases, goCases);
  const attachments = folded.flatMap((one, caseIndex) =>
    (attachedTo.get(one) ?? []).map((told): ImportedAttachment => ({ ...told, caseIndex })),
  );
  return {
    cases: folded,
    attachments,
    startTimeMs: span.startMs,
    durationMs: span.durationMs,
    status: isGreener ? 'failed' : problems.length > 0 ? 'interrupted' : null,
    shard: null,
    errors: [],
    problems,
  };
};

const failuresIn = ({ failures, errors }: Attributes): number => (Number(failures) || 0) + (Number(errors) || 0);

/** gotestsum writes the version of Go into the properties of each suite. */
const markAsGo = (suites: JunitSuite[]): void => {
  const suite = suites.pop();
  if (suite !== undefined) suites.push({ ...suite, isOfGo: true });
};

const spanOf = ({ timestamp, time }: Attributes): Span => ({
  startMs: timestampOf(timestamp),
  durationMs: secondsOf(time),
});

/** What is told of all suites together counts, and that of the suites where it is not. */
const spanOfAll = (whole: Span, suites: Span): Span => ({
  startMs: whole.startMs ?? suites.startMs,
  durationMs: whole.durationMs ?? suites.durationMs,
});
