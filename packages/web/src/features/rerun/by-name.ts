import { UNKNOWN_FILE } from '@assay/contract';
import { MAX_TITLE_LENGTH } from '@assay/contract/limits';
import type { Rerunnable, Writer } from './rerun.ts';
import { pathPatternOf, patternOf, quote } from './shell.ts';

/** How a tool takes files and a pattern of names, both of which hold for all tests of a command. */
interface Grammar {
  readonly command: string;
  file(path: string): string;
  names(tests: readonly Rerunnable[]): string;
  project(name: string): string;
  /** Where a line of a file tells tests apart. */
  readonly byLine?: boolean;
}

const createWriter = ({ command, file, names, project, byLine = false }: Grammar): Writer => {
  /** Each project has commands of its own: all projects of a command run all of its tests. */
  const write = (
    selected: readonly Rerunnable[],
    argumentsOf: (own: readonly Rerunnable[]) => readonly (readonly string[])[],
  ): string[] =>
    [...Map.groupBy(selected, ({ browser }) => browser || null)].flatMap(([name, own]) =>
      argumentsOf(own).map((args) => [command, ...args, ...(name === null ? [] : [project(name)])].join(' ')),
    );
  const named = (tests: readonly Rerunnable[]): string[] => [...filesOf(tests).map(file), names(tests)];
  return {
    exact: (selected, all) =>
      write(selected, (own) => {
        const { lined = [], other = [] } = Object.groupBy(own, (test) => (byLine && hasLine(test) ? 'lined' : 'other'));
        const whole = filesOf(other.filter(isWholeFile));
        const lines = [...new Set(lined.map(({ filePath, line }) => quote(`${pathPatternOf(filePath)}:${line}`)))];
        return [
          ...(lined.length === 1 ? [[lines[0]!, names(lined)]] : lines.length > 0 ? [lines] : []),
          ...(whole.length > 0 ? [whole.map(file)] : []),
          ...groupByName(without(other, whole), all).map(named),
        ];
      }),
    wide: (selected) => write(selected, (own) => [filesOf(own).map(file)]),
    also: (selected, all) =>
      byLine && selected.length > 1 && shareLines(selected, all)
        ? 'Tests on the same line of a file run together'
        : null,
    unit: 'file',
  };
};

/** One group, unless a test that is not selected has the name of one and is in the file of another. */
const groupByName = (named: readonly Rerunnable[], all: readonly Rerunnable[]): (readonly Rerunnable[])[] => {
  if (named.length === 0) return [];
  const files = new Set(named.map(({ filePath }) => filePath));
  const titles = new Set(named.map(({ title }) => title));
  const known = new Set(named.map(identityOf));
  const isMixed =
    files.has(UNKNOWN_FILE) ||
    all.some((one) => titles.has(one.title) && files.has(one.filePath) && !known.has(identityOf(one)));
  return isMixed ? [...Map.groupBy(named, ({ filePath }) => filePath).values()] : [named];
};

const shareLines = (selected: readonly Rerunnable[], all: readonly Rerunnable[]): boolean => {
  const placeOf = ({ filePath, line, browser }: Rerunnable): string => JSON.stringify([filePath, line, browser]);
  const places = new Set(selected.filter(hasLine).map(placeOf));
  const known = new Set(selected.map(identityOf));
  return all.some((one) => places.has(placeOf(one)) && !known.has(identityOf(one)));
};

const identityOf = ({ filePath, title }: Rerunnable): string => JSON.stringify([filePath, title]);

const hasLine = ({ filePath, line }: Rerunnable): boolean => filePath !== UNKNOWN_FILE && line !== null;

/** A file that failed as a whole is told as a test by its name. */
const isWholeFile = ({ filePath, title }: Rerunnable): boolean => filePath.split('/').at(-1) === title;

const without = (tests: readonly Rerunnable[], files: readonly string[]): Rerunnable[] => {
  const left = new Set(files);
  return tests.filter(({ filePath }) => !left.has(filePath));
};

const filesOf = (tests: readonly Rerunnable[]): string[] =>
  [...new Set(tests.map(({ filePath }) => filePath))].filter((file) => file !== UNKNOWN_FILE);

interface Joined {
  /** What a tool has between describes and title, as a pattern. */
  readonly between?: string;
  readonly end: string;
}

/** A title that was cut matches by its start. */
const namePattern = (tests: readonly Rerunnable[], { between = ' ', end }: Joined): string => {
  const patterns = tests.map(({ title }) => {
    const isCut = title.length >= MAX_TITLE_LENGTH;
    const known = isCut ? title.slice(0, MAX_TITLE_LENGTH - 1) : title;
    return `${known.split(' › ').map(patternOf).join(between)}${isCut ? '' : end}`;
  });
  const [first, ...others] = new Set(patterns);
  return others.length === 0 ? first! : `(${[first, ...others].join('|')})`;
};

const filePattern = (path: string): string => quote(pathPatternOf(path));

export const playwright = createWriter({
  command: 'npx playwright test',
  file: filePattern,
  // Files, and projects in older versions, come before the names; tags after them.
  names: (tests) => `-g ${quote(namePattern(tests, { end: '( @|$)' }))}`,
  project: (name) => `--project=${quote(name)}`,
  byLine: true,
});

export const vitest = createWriter({
  command: 'npx vitest run',
  file: quote,
  // Version 5 has ` > ` between them, 3 a space.
  names: (tests) => `-t ${quote(`^${namePattern(tests, { between: ' (> )?', end: '$' })}`)}`,
  project: (name) => `--project=${quote(name)}`,
});

export const jest = createWriter({
  command: 'npx jest',
  file: filePattern,
  names: (tests) => `-t ${quote(`^${namePattern(tests, { end: '$' })}`)}`,
  // Last: it takes all that follows as names of projects.
  project: (name) => `--selectProjects ${quote(name)}`,
});
