import { type PlantedWorld, USUAL_WORLD, type Verdict, judgePlanted } from './planted-failures.ts';

export interface VerdictFigures {
  readonly failures: number;
  /** Of those that are called yours, the share that is. */
  readonly precision: number;
  /** Of those that are yours, the share that is called so. */
  readonly recall: number;
  /** The share of wrong verdicts of any kind, among those that are not unknown. */
  readonly wrong: number;
  readonly unknown: number;
}

/** Apart from the runs in which far more failed than usual: one of those has more failures than a hundred others. */
export interface VerdictMeasure {
  readonly all: VerdictFigures;
  readonly usual: VerdictFigures;
  readonly mass: VerdictFigures;
}

/** One thing at a time is other than usual. */
export const WORLDS: Readonly<Record<string, Partial<PlantedWorld>>> = {
  usual: {},
  'few flaky tests': { flakyShare: 0.005 },
  'many flaky tests': { flakyShare: 0.15 },
  'very flaky tests': { mostFlaky: 0.8, flakyShare: 0.1 },
  'no retries': { retries: 0 },
  'two retries': { retries: 2 },
  'retries that hardly help': { stickiness: 0.8 },
  '5 runs before': { baseRuns: 5 },
  '15 runs before': { baseRuns: 15 },
  '100 runs before': { baseRuns: 100 },
  'base by time': { base: 'time' },
  'no base': { base: 'none' },
  'a change hardly ever breaks': { breaks: 0.05 },
  'every change breaks': { breaks: 1 },
  'half of the files touched': { touched: 0.5 },
  'commits not known': { areCommitsKnown: false },
  'no outages': { outages: 0 },
  'every fifth run an outage': { outages: 0.2 },
  'no reruns': { reruns: 0 },
  'few causes': { commonCauses: 0.8 },
  'outages that do not look like it': { outagesLookLikeIt: 0.1 },
  'no other branches': { otherBranches: 0 },
  '50 tests': { tests: 50 },
  '2,000 tests': { tests: 2_000 },
};

export const measureVerdicts = (seed: string, world: Partial<PlantedWorld>, runs: number): VerdictMeasure => {
  const usual: Verdict[] = [];
  const mass: Verdict[] = [];
  for (let run = 0; run < runs; run++) {
    for (const verdict of judgePlanted(`${seed} ${run}`, { ...USUAL_WORLD, ...world })) {
      (verdict.isMass ? mass : usual).push(verdict);
    }
  }
  return { all: figuresOf([...usual, ...mass]), usual: figuresOf(usual), mass: figuresOf(mass) };
};

const figuresOf = (verdicts: readonly Verdict[]): VerdictFigures => {
  const count = (fits: (truth: string, verdict: string) => boolean): number =>
    verdicts.filter(({ truth, judgement }) => fits(truth, judgement.verdict)).length;
  const right = count((truth, verdict) => truth === 'yours' && verdict === 'yours');
  const unknown = count((_, verdict) => verdict === 'unknown');
  return {
    failures: verdicts.length,
    precision: right / count((_, verdict) => verdict === 'yours'),
    recall: right / count((truth) => truth === 'yours'),
    wrong: count((truth, verdict) => verdict !== 'unknown' && verdict !== truth) / (verdicts.length - unknown),
    unknown: unknown / verdicts.length,
  };
};
