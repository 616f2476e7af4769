import { UNKNOWN_FILE } from '@assay/contract';
import type { Rerunnable, Writer } from './rerun.ts';
import { patternOf, quote } from './shell.ts';

const partsOf = ({ title }: Rerunnable): string[] => title.split(' › ');

/** What `pytest` calls a test, where the report names its file. */
const nodeIdOf = (test: Rerunnable): string | null => {
  if (!test.filePath.endsWith('.py')) return null;
  const parts = partsOf(test);
  return [test.filePath, ...parts.slice(0, -1).flatMap((part) => part.split('.')), parts.at(-1)!].join('::');
};

/** The names of a test's module, classes and function, all of which must be in what runs. */
const keywordsOf = (test: Rerunnable): string => {
  const dotted = test.filePath === UNKNOWN_FILE ? [] : test.filePath.split('.');
  const module = dotted.findIndex((part) => /^test_|_test$/.test(part));
  const words = [...dotted.slice(module), ...partsOf(test)];
  // Other characters are no part of a word to `-k`.
  const known = words.map((word) => /^[\w:+.[\]\\/-]*/.exec(word)![0].replace(/\[[^\]]*$/, ''));
  return known.filter((word) => word !== '').join(' and ');
};

export const pytest: Writer = {
  exact(selected) {
    const ids = selected.map(nodeIdOf).filter((id) => id !== null);
    const words = [...new Set(selected.filter((test) => nodeIdOf(test) === null).map(keywordsOf))].filter(Boolean);
    const any = words.length === 1 ? words[0]! : words.map((each) => `(${each})`).join(' or ');
    return [
      ...(ids.length > 0 ? [`pytest ${[...new Set(ids)].map(quote).join(' ')}`] : []),
      ...(words.length > 0 ? [`pytest -k ${quote(any)}`] : []),
    ];
  },
  wide(selected) {
    const files = [...new Set(selected.map(({ filePath }) => filePath).filter((file) => file.endsWith('.py')))];
    const modules = selected
      .filter((test) => nodeIdOf(test) === null)
      .map((test) => keywordsOf({ ...test, title: '' }));
    const words = [...new Set(modules)].filter(Boolean);
    return [
      ...(files.length > 0 ? [`pytest ${files.map(quote).join(' ')}`] : []),
      ...(words.length > 0 ? [`pytest -k ${quote(words.map((each) => `(${each})`).join(' or '))}`] : []),
    ];
  },
  also: (selected) =>
    selected.some((test) => nodeIdOf(test) === null)
      ? 'The report does not name the files of these tests: -k also runs tests whose names contain these words'
      : null,
  unit: 'file',
  takesExactNames: true,
};

/** By package; a package that failed as a whole has no test. */
export const go: Writer = {
  exact: (selected) =>
    [...Map.groupBy(selected, packageOf)].map(([name, own]) => {
      const tests = own.map(({ title }) => title);
      const runAll = tests.some((title) => !/^(?:Test|Example|Fuzz|Benchmark)/.test(title));
      const patterns = [...new Set(tests)].map((title) =>
        title
          .split('/')
          .map((part) => `^${patternOf(part)}$`)
          .join('/'),
      );
      return runAll ? `go test ${quote(name)}` : `go test ${quote(name)} -run ${quote(patterns.join('|'))}`;
    }),
  wide: (selected) => [`go test ${[...new Set(selected.map(packageOf))].map(quote).join(' ')}`],
  also: (selected) =>
    [...Map.groupBy(selected, packageOf).values()].some(
      (own) => own.length > 1 && own.some(({ title }) => title.includes('/')),
    )
      ? 'Several patterns with subtests in one -run take Go 1.20 or newer'
      : null,
  unit: 'package',
};

const packageOf = ({ filePath }: Rerunnable): string => (filePath === UNKNOWN_FILE ? './...' : filePath);

/** The class and the method of a test, without what reports add for parameters. */
const methodOf = (test: Rerunnable): { readonly className: string; readonly method: string } => {
  const parts = partsOf(test);
  const isFile = /\/|\.(?:java|kt|groovy|scala)$/.test(test.filePath);
  const fileName = test.filePath
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '');
  const className = test.filePath === UNKNOWN_FILE ? '*' : isFile ? (parts.at(-2) ?? fileName) : test.filePath;
  return { className, method: parts.at(-1)!.replace(/\s*(?:\([^)]*\)|\{[^}]*\}|\[[^\]]*\])+$/, '') };
};

const isMethod = (name: string): boolean => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name);

const classesOf = (selected: readonly Rerunnable[]): string[] => [
  ...new Set(selected.map((test) => methodOf(test).className)),
];

const toldOfParameters = (selected: readonly Rerunnable[]): string | null =>
  selected.some((test) => partsOf(test).at(-1)!.endsWith(']'))
    ? 'A method with parameters runs with all of them'
    : null;

export const maven: Writer = {
  exact(selected) {
    const classes = [...Map.groupBy(selected.map(methodOf), ({ className }) => className)];
    const each = classes.map(([className, own]) => {
      const methods = [...new Set(own.map(({ method }) => method))];
      return methods.every(isMethod) ? `${className}#${methods.join('+')}` : className;
    });
    return [`mvn test ${quote(`-Dtest=${each.join(',')}`)}`];
  },
  wide: (selected) => [`mvn test ${quote(`-Dtest=${classesOf(selected).join(',')}`)}`],
  also: (selected) =>
    selected.every((test) => isMethod(methodOf(test).method))
      ? toldOfParameters(selected)
      : 'The report names some tests by their display names: their classes run whole',
  unit: 'class',
  takesExactNames: true,
};

export const gradle: Writer = {
  exact(selected) {
    const names = selected.map(methodOf).map(({ className, method }) => `${className}.${method}`);
    return [`gradle test ${[...new Set(names)].map((name) => `--tests ${quote(name)}`).join(' ')}`];
  },
  wide: (selected) => [
    `gradle test ${classesOf(selected)
      .map((name) => `--tests ${quote(name)}`)
      .join(' ')}`,
  ],
  also: toldOfParameters,
  unit: 'class',
  takesExactNames: true,
};
