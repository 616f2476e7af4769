import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureBisect } from '../packages/reporter/test/cli/bisect-truth.ts';
import { measureCost } from '../packages/server/test/statistics/cost-truth.ts';
import { measureDifferences } from '../packages/server/test/statistics/difference-truth.ts';
import { measureDurationAlarms, measureDurationChanges } from '../packages/server/test/statistics/duration-truth.ts';
import { measureExplanations } from '../packages/server/test/statistics/explain-truth.ts';
import { FACTOR_KINDS, measureFactors } from '../packages/server/test/statistics/factor-truth.ts';
import { measureFlakeRates, measureSmallProjects } from '../packages/server/test/statistics/flake-truth.ts';
import { measureFalseAlarms, measureSince } from '../packages/server/test/statistics/since-truth.ts';
import { WORLDS, measureVerdicts } from '../packages/server/test/statistics/verdict-truth.ts';
import { provePackages } from './prove-packages.ts';

const share = (value: number): string => `${(value * 100).toFixed(1)} %`;
const shareOrNone = (value: number): string => (Number.isNaN(value) ? '' : share(value));

const printTable = (...titles: string[]): void => {
  console.log(`| ${titles.join(' | ')} |`);
  console.log(`|${titles.map(() => '---').join('|')}|`);
};
const printRow = (...cells: (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

/** What can be printed, in the order of docs/statistics.md. */
const PARTS: Readonly<Record<string, () => void | Promise<void>>> = {
  flakes() {
    console.log('Flake rates of 13,260 tests of 12 projects that ran 10,000 times each, each seen for fewer runs');
    printTable(
      'Runs',
      'Tried on',
      'Seen flaky',
      'True rate within the interval',
      'Brier score, rate above 1 %',
      'of a plain mixture',
      'of the rate as seen',
    );
    for (const runs of [20, 50, 200]) {
      for (const heldOut of [false, true]) {
        const draws = { seed: 'prove', heldOut, times: 10, mixture: true };
        const { seen, coverage, brier, mixtureBrier, naiveBrier } = measureFlakeRates(runs, draws);
        const on = heldOut ? 'other tests of the project' : 'the tests it learnt from';
        const scores = [brier, mixtureBrier!, naiveBrier].map((score) => score.toFixed(4));
        printRow(runs, on, seen, share(coverage), ...scores);
      }
    }
    console.log('\nProjects of few tests, alone and pooled with the others, which count as 8 tests');
    printTable('Tests', 'Runs', 'Alone: true rate within the interval', 'Brier score', 'Pooled', 'Brier score');
    for (const runs of [20, 50]) {
      for (const tests of [5, 20, 60]) {
        const cells = [0, 8].flatMap((pooledTests) => {
          const { coverage, brier } = measureSmallProjects('prove', { tests, runs, pooledTests, times: 100 });
          return [share(coverage), brier.toFixed(4)];
        });
        printRow(tests, runs, ...cells);
      }
    }
  },

  explanations() {
    const { runs, told, tooMany, missed } = measureExplanations('prove', 10);
    console.log(`Incidents of twelve kinds planted in ${runs} runs of 1,000 tests, alone and two at a time`);
    console.log(`All that was planted is told first in ${share(told)}, and more than that in ${share(tooMany)}`);
    console.log(`Missed: ${[...missed].map(([pair, times]) => `${pair} ${times}`).join(', ')}`);
  },

  verdicts() {
    console.log(
      'Failures of changes with planted reasons, in 200 runs of each kind of project: are they called newly broken?',
    );
    printTable(
      '',
      'Precision',
      'Runs as usual: failures',
      'Precision',
      'Recall',
      'Wrong',
      'Unknown',
      'Mass failures',
      'Wrong',
      'Unknown',
    );
    for (const [name, world] of Object.entries(WORLDS)) {
      const { all, usual, mass } = measureVerdicts('held out', world, 200);
      const ofUsual = [usual.precision, usual.recall, usual.wrong, usual.unknown].map(shareOrNone);
      const ofMass = [mass.wrong, mass.unknown].map(shareOrNone);
      printRow(name, shareOrNone(all.precision), usual.failures, ...ofUsual, mass.failures, ...ofMass);
    }
  },

  cost() {
    console.log('What failures by chance cost in 300 projects each, and what becomes of forecasts when they come true');
    printTable(
      'Runs',
      'Called chance, rightly',
      'Chance that is found',
      'Red share within the interval without the three tests',
      'with one more retry',
    );
    for (const count of [100, 300, 1_000]) {
      const { precision, recall, muted, retried } = measureCost('prove', 300, count);
      printRow(count, share(precision), share(recall), share(muted), share(retried));
    }
  },

  factors() {
    console.log('Things that make 500 tests flaky in 20 or 30 % of 300 runs, instead of 2 %: how often they are told');
    printTable('Planted', 'Told at 20 %', 'Wrong of all that is told', 'Told at 30 %', 'Wrong');
    for (const kind of FACTOR_KINDS) {
      const cells = [0.2, 0.3].flatMap((rateWith) => {
        const figures = measureFactors('prove', kind, { tests: 500, runs: 300, rate: 0.02, rateWith });
        return [share(figures.power), share(figures.false)];
      });
      printRow(kind, ...cells);
    }
    const none = measureFactors('prove', null, { tests: 1_000, runs: 300, rate: 0.05, rateWith: 0.05 });
    console.log(
      `Of 1,000 tests that are flaky in 5 % of runs whatever happens, something is told of ${share(none.power)}`,
    );
  },

  since() {
    console.log('Commits that made a test broken or flaky, planted in 2,000 histories each');
    printTable(
      'Became',
      'It is told',
      'The commit is in the 95 % set',
      'Commits in that set, median',
      'The project page would ask',
    );
    for (const kind of ['broken', 'flaky'] as const) {
      const { told, within, size, hinted } = measureSince('prove', kind, 2_000);
      printRow(kind, share(told), share(within), size, kind === 'flaky' ? share(hinted) : '');
    }
    const { tests, broken, flaky } = measureFalseAlarms('prove');
    console.log(
      `Of ${tests} tests that did not change, in a month of 300 runs ${broken} are said to have broken and ${flaky} to have become flaky`,
    );
  },

  async bisect() {
    console.log('Searches of `assay bisect` among 40 commits, 200 each');
    printTable('Fails before', 'Fails after', 'Runs, mean', 'Ends with one commit', 'which is right');
    for (const [before, after] of [
      [0, 1],
      [0.2, 1],
      [0.4, 1],
      [0.1, 0.6],
    ] as const) {
      const { runs, ended, right } = await measureBisect('prove', { searches: 200, before, after });
      printRow(share(before), share(after), runs.toFixed(1), share(ended), share(right));
    }
  },

  durations() {
    console.log('Tests that became slower or faster, one in each of 1,000 projects');
    printTable(
      'Factor',
      'Found',
      'The run is in the 95 % set',
      'Runs in that set, median',
      'Factor told is off by, median',
    );
    for (const factor of [1.2, 1.4, 2, 3]) {
      const { found, within, size, error } = measureDurationChanges('prove', 1_000, factor);
      printRow(factor, share(found), share(within), size, share(error));
    }
    const { tests, alarms } = measureDurationAlarms('prove', 200, 5);
    console.log(
      `Of ${tests} tests that did not change, in a month of 300 runs ${alarms} are said to have become slower or faster`,
    );
  },

  differences() {
    const { faults, failures, passed } = measureDifferences();
    const first = (found: readonly { readonly isFirst: boolean }[]): string =>
      `${found.filter(({ isFirst }) => isFirst).length} of ${found.length}`;
    console.log(
      `Faults planted in a shop, executed by Playwright: the fault is the first difference in ${first(faults)},`,
    );
    console.log(`and in ${first(failures)} of all tests that they make fail`);
    console.log(
      `An execution that passed, beside the ten before it: ${(passed.lines / passed.compared).toFixed(2)} differences in ${passed.compared} comparisons`,
    );
  },
};

/** Rounds of the test of replicas, each with other draws: how many pass in a row. */
const runVitest = (args: readonly string[], env: Readonly<Record<string, string>>): number => {
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
  const options = { stdio: 'inherit', env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, [vitest, 'run', ...args], options).status ?? 1;
};

const proveReplicas = (rounds: number): number => {
  const args = ['packages/server/test/postgres/churn.test.ts', '--retry', '0', '--bail', '1', '--reporter', 'verbose'];
  return runVitest(args, { CHURN_ROUNDS: String(rounds) });
};

const provePostgres = (): number =>
  runVitest(['packages/server/test', '--project', 'node'], { TEST_DATABASE: 'postgres' });

const HELP = `npm run prove -- truth [part …]

  How well answers agree with what is known to be true: see docs/statistics.md.
  Parts: ${Object.keys(PARTS).join(', ')}; all of them, unless some are named.

npm run prove -- packages

  Whether what is published works where it is installed, on Node 20, 22 and 24, and the build plugin in Rollup, Rspack and
  Vite. These are installed from the registry into a temporary folder.

npm run prove -- postgres

  All tests of the service with their data in PostgreSQL; npm test has those of its answers.

npm run prove -- replicas [rounds]

  Three replicas are killed and cut off while they are used, 50 times unless another number is given:
  see docs/scale.md.
`;

const { positionals } = parseArgs({ allowPositionals: true });
const [what, ...named] = positionals;
if (what === 'packages') process.exit((await provePackages()) ? 0 : 1);
if (what === 'postgres') process.exit(provePostgres());
if (what === 'replicas') process.exit(proveReplicas(Number(named[0] ?? 50)));
if (what !== 'truth' || named.some((part) => !(part in PARTS))) {
  console.log(HELP);
  process.exit(positionals.length === 0 ? 0 : 1);
}
for (const [nth, part] of (named.length > 0 ? named : Object.keys(PARTS)).entries()) {
  if (nth > 0) console.log('');
  await PARTS[part]!();
}
