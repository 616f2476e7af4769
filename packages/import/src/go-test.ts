import type { SubmittedCase } from '@assay/contract';
import { type Attempt, type Attempts, buildCase, isFailure } from './build-case.ts';
import {
  type EndedTest,
  type GoPackage,
  beginTest,
  closeTests,
  endTest,
  goError,
  newGoPackage,
  noteOutput,
} from './go-package.ts';
import { type Importer, type Problem, problem } from './imported.ts';
import { type Fields, isFields, numberOr, parseJsonLine, textOr, timeOf } from './json.ts';
import { linesOf } from './source.ts';
import { MAX_ERROR, growText } from './texts.ts';

const MAX_PROBLEMS = 5;

/** What `go test -json` prints. Of lines that are no JSON only a failed build counts. */
export const importGoTest: Importer = async (source, { root }) => {
  const packages = new Map<string, GoPackage>();
  const problems: Problem[] = [];
  let startMs = Infinity;
  let endMs = -Infinity;
  const packageOf = (name: string): GoPackage => {
    const known = packages.get(name) ?? newGoPackage(name);
    packages.set(name, known);
    return known;
  };
  for await (const { text, number } of linesOf(source)) {
    if (!text.startsWith('{')) {
      takePlainLine(text, packageOf);
      continue;
    }
    const event = parseJsonLine(text);
    if (!isFields(event) || typeof event['Action'] !== 'string') {
      if (problems.length < MAX_PROBLEMS) problems.push(problem('not an event of go test -json', number));
      continue;
    }
    const time = timeOf(event['Time']);
    if (time !== null) {
      startMs = Math.min(startMs, time);
      endMs = Math.max(endMs, time);
    }
    take(event['Action'], event, packageOf);
  }
  const cases = [...packages.values()].flatMap((one) => casesOf(one, packages, root));
  const unfinished = [...packages.values()].some((one) => one.started && one.result === null);
  if (unfinished && problems.length === 0) problems.push(problem('it ends before its packages do'));
  return {
    cases,
    startTimeMs: startMs === Infinity ? null : startMs,
    durationMs: startMs === Infinity ? null : endMs - startMs,
    status: problems.length > 0 ? 'interrupted' : null,
    shard: null,
    errors: [],
    problems,
  };
};

/** Before Go 1.20 a package that does not compile is told by a plain line alone. */
const takePlainLine = (line: string, packageOf: (name: string) => GoPackage): void => {
  const [, name] = /^FAIL\s+(\S+)\s+\[(?:build|setup) failed\]\s*$/.exec(line) ?? [];
  if (name === undefined) return;
  const within = packageOf(name);
  within.started = true;
  within.result = 'fail';
  noteOutput(within, `${line}\n`);
};

const take = (action: string, event: Fields, packageOf: (name: string) => GoPackage): void => {
  const output = textOr(event['Output'], '');
  if (action === 'build-output' || action === 'build-fail') {
    packageOf(textOr(event['ImportPath'], '')).build.add(output);
    return;
  }
  const name = textOr(event['Package'], '');
  const within = packageOf(name);
  const testName = textOr(event['Test'], '');
  if (testName === '') {
    if (action === 'output') noteOutput(within, output);
    else if (action === 'start') within.started = true;
    else if (action === 'pass' || action === 'fail' || action === 'skip') {
      within.result = action;
      within.failedBuild = textOr(event['FailedBuild'], null);
    }
    return;
  }
  within.started = true;
  takeOfTest(within, testName, action, event);
  if (action === 'output') noteOutput(within, output, true);
};

const takeOfTest = (within: GoPackage, name: string, action: string, event: Fields): void => {
  if (action === 'run') beginTest(within, name, textOr(event['Time'], undefined));
  else if (action === 'pass' || action === 'fail' || action === 'skip' || action === 'bench') {
    const elapsed = numberOr(event['Elapsed'], null);
    endTest(within, name, action === 'bench' ? 'pass' : action, elapsed === null ? null : elapsed * 1000);
  } else {
    // A test that has ended may still print.
    const isKnown = within.running.has(name) || within.ended.has(name);
    const test = isKnown ? within.running.get(name) : beginTest(within, name, undefined);
    if (test === undefined) return;
    if (action === 'output') (test.output ??= growText(MAX_ERROR)).add(textOr(event['Output'], ''));
    else if (action === 'attr') {
      test.annotations.push({ type: textOr(event['Key'], 'attr'), description: textOr(event['Value'], undefined) });
    }
  }
};

/** A test that has subtests is told by them, unless it failed and none of them did. */
const casesOf = (within: GoPackage, packages: ReadonlyMap<string, GoPackage>, root: string): SubmittedCase[] => {
  closeTests(within);
  const parents = new Set<string>();
  const withFailed = new Set<string>();
  for (const name of within.ended.keys()) {
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      parents.add(name.slice(0, end));
      if (within.failed.has(name)) withFailed.add(name.slice(0, end));
    }
  }
  const cases: SubmittedCase[] = [];
  for (const { key: name, items } of within.ended.takeAll()) {
    const isTold = !parents.has(name) || (within.failed.has(name) && !withFailed.has(name));
    if (isTold) cases.push(buildTest(name, items, within.name, root));
  }
  if (within.result === 'fail' && !cases.some(({ status }) => isFailure(status))) {
    cases.push(buildPackageFailure(within, packages, root));
  }
  return cases;
};

/** Reruns of one test are attempts; runs of a test that always passes (`-count`) are not. */
const buildTest = (name: string, ended: readonly EndedTest[], packageName: string, root: string): SubmittedCase => {
  const all = ended.map(({ attempt }) => attempt);
  const attempts = all.some(({ status }) => isFailure(status)) ? all : all.slice(-1);
  return buildCase(
    {
      titles: [name],
      place: { file: packageName },
      attempts: attempts as unknown as Attempts,
      annotations: ended.flatMap(({ annotations }) => annotations),
    },
    root,
  );
};

const buildPackageFailure = (
  within: GoPackage,
  packages: ReadonlyMap<string, GoPackage>,
  root: string,
): SubmittedCase => {
  const build = within.failedBuild === null ? '' : (packages.get(within.failedBuild)?.build.text() ?? '');
  const output = goError(within.output.text());
  const isBuild = within.failedBuild !== null || /\[(?:build|setup) failed\]/.test(within.output.text());
  const attempt: Attempt = { status: 'failed', error: [build.trim(), output].filter((part) => part !== '').join('\n') };
  return buildCase(
    { titles: [isBuild ? '(build)' : '(package)'], place: { file: within.name }, attempts: [attempt] },
    root,
  );
};
