import type { SubmittedCase } from '@assay/contract';
import { type CaseDraft, type CaseStatus, buildCase } from './build-case.ts';
import { type Importer, finishReport } from './imported.ts';
import { timeOf } from './json.ts';
import { locationOf } from './places.ts';
import { copyOf } from './texts.ts';
import { type XmlElement, childOf, childrenOf, errorOf, readElements, textAt } from './xml-elements.ts';

/** Visual Studio's results, which `dotnet test --logger trx` writes. Classes of tests stand behind all results. */
export const importTrx: Importer = async (source, { root }) => {
  const results: { readonly testId: string; readonly built: SubmittedCase }[] = [];
  const classes = new Map<string, string>();
  const errors: string[] = [];
  let startTimeMs: number | null = null;
  let endMs: number | null = null;
  let runnerFailed = false;
  const problems = await readElements(source, {
    whole: new Set(['UnitTestResult', 'UnitTest', 'RunInfo']),
    open(name, attributes) {
      if (name === 'Times') {
        startTimeMs = timeOf(attributes['start']);
        endMs = timeOf(attributes['finish']);
      } else if (name === 'ResultSummary') runnerFailed ||= FAILED_RUN.test(attributes['outcome'] ?? '');
      else if (name === 'Counters') runnerFailed ||= FAILED_COUNTERS.some((counter) => Number(attributes[counter]) > 0);
    },
    take(element) {
      if (element.name === 'UnitTest') {
        const className = childOf(element, 'TestMethod')?.attributes['className'] ?? '';
        // Some adapters write the assembly behind the class.
        classes.set(copyOf(element.attributes['id'] ?? ''), copyOf(className.split(',')[0]!.trim()));
      } else if (element.name === 'RunInfo') {
        if (/^(?:error|failed)$/i.test(element.attributes['outcome'] ?? '')) errors.push(textAt(element, 'Text'));
      } else {
        for (const result of innermostOf(element)) {
          // Built at once: what is read of an element keeps the text around it in memory.
          const built = buildCase(readResult(result), root);
          results.push({ testId: copyOf(result.attributes['testId'] ?? ''), built });
        }
      }
    },
  });
  const span = startTimeMs === null || endMs === null ? null : Math.max(0, endMs - startTimeMs);
  return finishReport({
    cases: results.map(({ testId, built }) => withClass(built, classes.get(testId))),
    startTimeMs,
    durationMs: span,
    runnerFailed,
    errors,
    problems,
  });
};

const FAILED_COUNTERS = ['failed', 'error', 'timeout', 'aborted'];

const FAILED_RUN = /^(?:failed|error|timeout|aborted|disconnected|passedbutrunaborted)$/i;

/** A test that runs for each row of its data holds a result for each. */
const innermostOf = (result: XmlElement): XmlElement[] => {
  const inner = childrenOf(childOf(result, 'InnerResults'), 'UnitTestResult');
  return inner.length === 0 ? [result] : inner.flatMap(innermostOf);
};

const readResult = (result: XmlElement): CaseDraft => {
  const { attributes } = result;
  const output = childOf(result, 'Output');
  const info = childOf(output, 'ErrorInfo');
  return {
    titles: [attributes['testName'] ?? ''],
    attempts: [
      {
        status: statusOf(attributes['outcome'] ?? ''),
        durationMs: clockMs(attributes['duration']),
        error: errorOf(textAt(info, 'Message'), textAt(info, 'StackTrace')),
        stdout: textAt(output, 'StdOut'),
        stderr: textAt(output, 'StdErr'),
      },
    ],
  };
};

/** An outcome that is missing or unknown is not one that passed. */
const statusOf = (outcome: string): CaseStatus => {
  switch (outcome.toLowerCase()) {
    case 'passed':
    case 'completed':
    case 'warning':
      return 'passed';
    case 'notexecuted':
    case 'inconclusive':
    case 'pending':
    case 'notrunnable':
      return 'skipped';
    case 'timeout':
      return 'timedOut';
    case 'aborted':
    case 'disconnected':
    case 'inprogress':
      return 'interrupted';
    default:
      return 'failed';
  }
};

/** `00:00:01.2345678` */
const clockMs = (text: string | undefined): number | null => {
  const [, days, hours, minutes, seconds] = /^(?:(\d+)\.)?(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(text ?? '') ?? [];
  if (seconds === undefined) return null;
  return (((Number(days ?? 0) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
};

const withClass = (built: SubmittedCase, className: string | undefined): SubmittedCase => {
  if (!className) return built;
  const { title } = built;
  if (title.startsWith(`${className}.`)) built.title = title.slice(className.length + 1) || title;
  const location = locationOf({ file: className }, '');
  if (location !== null) built.location = location;
  return built;
};
