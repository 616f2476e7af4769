import { parseArgs } from 'node:util';
import { measureExplanations } from '../packages/server/test/statistics/explain-truth.ts';
import { measureFlakeRates } from '../packages/server/test/statistics/flake-truth.ts';

const HELP = `npm run prove -- truth

  How well answers agree with what is known to be true: see docs/statistics.md.
`;

const { positionals } = parseArgs({ allowPositionals: true });
if (positionals[0] !== 'truth') {
  console.log(HELP);
  process.exit(positionals.length === 0 ? 0 : 1);
}

const share = (value: number): string => `${(value * 100).toFixed(1)} %`;

console.log('Flake rates of 13,260 tests of 12 projects that ran 10,000 times each, each seen for fewer runs');
console.log(
  '| Runs | Tried on | Seen flaky | True rate within the interval | Brier score, rate above 1 % | of the rate as seen |',
);
console.log('|---|---|---|---|---|---|');
for (const runs of [20, 50, 200]) {
  for (const heldOut of [false, true]) {
    const { seen, coverage, brier, naiveBrier } = measureFlakeRates(runs, { seed: 'prove', heldOut, times: 10 });
    const on = heldOut ? 'other tests of the project' : 'the tests it learnt from';
    console.log(`| ${runs} | ${on} | ${seen} | ${share(coverage)} | ${brier.toFixed(4)} | ${naiveBrier.toFixed(4)} |`);
  }
}

const { runs, told, tooMany, missed } = measureExplanations('prove', 10);
console.log(`\nIncidents of eight kinds planted in ${runs} runs of 1,000 tests, alone and two at a time`);
console.log(`All that was planted is told first in ${share(told)}, and more than that in ${share(tooMany)}`);
console.log(`Missed: ${[...missed].map(([pair, times]) => `${pair} ${times}`).join(', ')}`);
