import { createRandom } from '@assay/testkit';
import { type Sighting, findFactors, tabulate } from '../../src/statistics/flake-factors.ts';

const KINDS = ['shard', 'worker', 'environment', 'hour', 'before', 'together'] as const;
export type FactorKind = (typeof KINDS)[number];

export interface FactorFigures {
  /** The share of tests of which the planted thing is told. */
  readonly power: number;
  /** Of all that is told, the share that has nothing to do with what was planted. */
  readonly false: number;
}

/** How often tests run with what is planted. */
const PLANTED: Readonly<Record<FactorKind, string>> = {
  shard: '1',
  worker: '1 of shard 1',
  environment: 'staging',
  hour: '08',
  before: 't3',
  together: 'other 0',
};

/** Tests that are flaky with a rate, and with another one when they run with one thing; or with nothing (null). */
export const measureFactors = (
  seed: string,
  planted: FactorKind | null,
  { tests, runs, rate, rateWith }: { tests: number; runs: number; rate: number; rateWith: number },
): FactorFigures => {
  let [found, told, wrong] = [0, 0, 0];
  for (let test = 0; test < tests; test++) {
    const random = createRandom(`${seed} ${planted} ${test}`);
    const sightings = Array.from({ length: runs }, (): Sighting => {
      const shard = String(random.integer(1, 4));
      const others = Array.from({ length: 20 }, (_, at) => `other ${at}`);
      const withIt: Record<FactorKind, readonly string[]> = {
        shard: [shard],
        worker: [`${random.integer(1, 2)} of shard ${shard}`],
        environment: [random.chance(0.3) ? 'staging' : 'production'],
        hour: [random.pick(['00', '04', '08', '08', '12', '12', '16', '20'])],
        before: [random.chance(0.2) ? 't3' : `t${random.integer(4, 12)}`],
        together: others.filter((_, at) => random.chance(at === 0 ? 0.1 : 0.03)),
      };
      const isWith = planted !== null && withIt[planted].includes(PLANTED[planted]);
      return { isFlaky: random.chance(isWith ? rateWith : rate), with: withIt };
    });
    const { believed } = findFactors(KINDS.flatMap((kind) => tabulate(sightings, kind)));
    const isPlanted = ({ kind, value }: { kind: string; value: string }): boolean =>
      planted !== null && kind === planted && value === PLANTED[planted];
    // A shard has workers, and a worker is of a shard.
    const isNear = ({ kind, value }: { kind: string; value: string }): boolean =>
      (planted === 'shard' && kind === 'worker' && value.endsWith('shard 1')) ||
      (planted === 'worker' && kind === 'shard' && value === '1');
    if (believed.some((each) => isPlanted(each.found))) found++;
    told += believed.length;
    wrong += believed.filter((each) => !isPlanted(each.found) && !isNear(each.found)).length;
    if (planted === null && believed.length > 0) found++;
  }
  return { power: found / tests, false: told === 0 ? 0 : wrong / told };
};

export const FACTOR_KINDS: readonly FactorKind[] = KINDS;
