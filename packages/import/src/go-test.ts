import type { SubmittedCase } from '@assay/contract';
import { type Attempt, type Attempts, buildCase, isFailure } from './build-case.ts';
import { type GoPackage, type GoTest, goError, newGoPackage, newGoTest, noteOutput } from './go-package.ts';
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
  const test = within.tests.get(testName) ?? newGoTest(testName);
  within.tests.set(testName, test);
  takeOfTest(test, action, event, output);
  if (action === 'output') noteOutput(within, output, test);
};

const takeOfTest = (test: GoTest, action: string, event: Fields, output: string): void => {
  switch (action) {
    case 'run':
      test.begin(textOr(event['Time'], undefined));
      break;
    case 'output':
      (test.output ??= growText(MAX_ERROR)).add(output);
      break;
    case 'attr':
      test.annotations.push({ type: textOr(event['Key'], 'attr'), description: textOr(event['Value'], undefined) });
      break;
    case 'pass':
    case 'fail':
    case 'skip':
    case 'bench': {
      const elapsed = numberOr(event['Elapsed'], null);
      test.end(action === 'bench' ? 'pass' : action, elapsed === null ? null : elapsed * 1000);
      break;
    }
    default:
  }
};

/** A test that has subtests is told by them, unless it failed and none of them did. */
const casesOf = (within: GoPackage, packages: ReadonlyMap<string, GoPackage>, root: string): SubmittedCase[] => {
  const parents = new Set<string>();
  const failed = new Set<string>();
  for (const test of within.tests.values()) {
    test.close(within.result === 'fail' ? within.panic : null);
    const failsItself = isFailure(test.attempts.at(-1)?.status);
    for (let end = test.name.lastIndexOf('/'); end > 0; end = test.name.lastIndexOf('/', end - 1)) {
      parents.add(test.name.slice(0, end));
      if (failsItself) failed.add(test.name.slice(0, end));
    }
    if (failsItself) failed.add(`${test.name}/`);
  }
  const told = [...within.tests.values()].filter(
    ({ name }) => !parents.has(name) || (failed.has(`${name}/`) && !failed.has(name)),
  );
  const cases = told.map((test) => buildTest(test, within.name, root));
  if (within.result === 'fail' && !cases.some(({ status }) => isFailure(status))) {
    cases.push(buildPackageFailure(within, packages, root));
  }
  return cases;
};

/** Reruns of one test are attempts; runs of a test that always passes (`-count`) are not. */
const buildTest = (test: GoTest, packageName: string, root: string): SubmittedCase => {
  const wavered = test.attempts.some(({ status }) => isFailure(status));
  const attempts = wavered ? test.attempts : test.attempts.slice(-1);
  return buildCase(
    {
      titles: [test.name],
      place: { file: packageName },
      attempts: attempts as unknown as Attempts,
      annotations: test.annotations,
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
