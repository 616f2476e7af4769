type Runner = 'playwright' | 'vitest' | 'jest';

interface CommandLine {
  /** Words before the arguments that name files. */
  readonly commands: readonly string[];
  /** Arguments that leave tests out. */
  readonly filters: readonly string[];
  /** Arguments whose value may be the next one. */
  readonly withValue: readonly string[];
  /** Arguments that have no value. */
  readonly plain: readonly string[];
}

const COMMAND_LINES: Record<Runner, CommandLine> = {
  playwright: {
    commands: ['test'],
    filters: [
      '-g',
      '--grep',
      '-G',
      '--grep-invert',
      '--last-failed',
      '--only-changed',
      '--test-list',
      '--test-list-invert',
    ],
    withValue: [
      '-c',
      '--config',
      '-j',
      '--workers',
      '--global-timeout',
      '--max-failures',
      '--name',
      '--output',
      '--project',
      '--repeat-each',
      '--reporter',
      '--retries',
      '--shard',
      '--timeout',
      '--trace',
      '--tsconfig',
      '--update-source-method',
    ],
    plain: [
      '-x',
      '--debug',
      '--fail-on-flaky-tests',
      '--forbid-only',
      '--fully-parallel',
      '--headed',
      '--ignore-snapshots',
      '--no-deps',
      '--pass-with-no-tests',
      '--quiet',
      '-u',
      '--update-snapshots',
    ],
  },
  vitest: {
    commands: ['run', 'watch', 'dev'],
    filters: ['-t', '--testNamePattern', '--changed', '--exclude'],
    withValue: [
      '-c',
      '--config',
      '--dir',
      '--environment',
      '--maxWorkers',
      '--outputFile',
      '--pool',
      '--project',
      '--reporter',
      '--retry',
      '-r',
      '--root',
      '--shard',
      '--testTimeout',
    ],
    plain: [
      '--run',
      '--coverage',
      '--globals',
      '--no-color',
      '--passWithNoTests',
      '--silent',
      '-u',
      '--update',
      '--typecheck',
    ],
  },
  jest: {
    commands: [],
    filters: [
      '-t',
      '--testNamePattern',
      '-o',
      '--onlyChanged',
      '--changedSince',
      '-f',
      '--onlyFailures',
      '--findRelatedTests',
      '--runTestsByPath',
      '--testPathPattern',
      '--testPathPatterns',
      '--testPathIgnorePatterns',
      '--selectProjects',
      '--ignoreProjects',
    ],
    withValue: ['-c', '--config', '-w', '--maxWorkers', '--rootDir', '--shard', '--testTimeout', '--reporters'],
    plain: [
      '--bail',
      '--ci',
      '--colors',
      '--coverage',
      '--detectOpenHandles',
      '--forceExit',
      '-i',
      '--runInBand',
      '--json',
      '--passWithNoTests',
      '--silent',
      '-u',
      '--updateSnapshot',
      '--verbose',
    ],
  },
};

/** Whether a command line asks for only some of the tests; null where that is not certain. */
export const isFiltered = (runner: Runner, args: readonly string[]): boolean | null => {
  const { commands, filters, withValue, plain } = COMMAND_LINES[runner];
  let isCertain = true;
  for (let at = 0; at < args.length; at++) {
    const [name] = args[at]!.split('=', 1) as [string];
    if (filters.includes(name)) return true;
    if (withValue.includes(name)) at += args[at] === name ? 1 : 0;
    else if (!name.startsWith('-')) {
      if (at > 0 || !commands.includes(name)) return isCertain ? true : null;
    } else if (!plain.includes(name)) isCertain = false;
  }
  return isCertain ? false : null;
};
