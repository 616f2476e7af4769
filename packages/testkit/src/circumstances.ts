import type { Weather } from './behaviour.ts';
import type { Catalogue, Suite, Test } from './catalogue.ts';
import { MAIN, branchAt, commitAt } from './commits.ts';
import type { Commit } from './commits.ts';
import { buildIncident, incidentsAt, outageAt } from './incidents.ts';
import type { Incident } from './incidents.ts';
import { logNormal } from './random.ts';
import type { Random } from './random.ts';

interface Span {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

/** What is to happen for sure: on main, with nothing else around it. */
export interface Script {
  readonly calm: Span;
  readonly incident: Span | null;
}

/** Everything that decides how the runs of a project look. */
export interface Plan extends Suite {
  readonly root: Random;
  readonly projectName: string;
  readonly details: 'none' | 'full';
  readonly script: Script | null;
}

export interface Circumstances {
  readonly commit: Commit;
  readonly weather: Weather;
  /** The share of the tests after which the run was cancelled. */
  readonly interruptedAfter: number | null;
}

export const createCircumstances = (
  { root, domain, temperament, script }: Plan,
  { lasting }: Catalogue,
): ((n: number) => Circumstances) => {
  const pickTest = (random: Random): Test => random.pick(lasting);
  const scripted = script?.incident ? scriptedIncident(root, lasting, script.incident) : null;

  const incidentsIn = (n: number): Incident[] => {
    if (scripted !== null && isIn(scripted, n)) return [scripted];
    return isIn(script?.calm, n) ? [] : incidentsAt(root, n, temperament, pickTest);
  };

  return (n) => {
    const random = root.fork('run').fork(n);
    const calm = isIn(script?.calm, n);
    const branch = calm ? MAIN : branchAt(root, n, temperament, pickTest);
    const incidents = incidentsIn(n);
    const repaired = branch === MAIN && n > 0 ? incidentsIn(n - 1).find(({ to }) => to === n) : undefined;
    return {
      commit: commitAt(root, n, branch, repaired?.feature ?? null, pickTest),
      weather: {
        n,
        machineFactor: logNormal(random, 0.06),
        framework: domain.framework,
        calm,
        outage: calm ? null : outageAt(root, n, temperament),
        incidents: branch.breakage === null ? incidents : [...incidents, branch.breakage],
      },
      interruptedAfter: !calm && random.chance(temperament.interruptedRuns) ? 0.6 + random.next() * 0.35 : null,
    };
  };
};

const isIn = (span: Span | undefined, n: number): boolean => span !== undefined && span.from <= n && n < span.to;

/** In the file with the most tests, so that many fail for one cause. */
const scriptedIncident = (root: Random, lasting: readonly Test[], { from, to }: Span): Incident => {
  const counts = new Map<number, number>();
  for (const { file } of lasting) counts.set(file.index, (counts.get(file.index) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const busiest = lasting.find(({ file }) => counts.get(file.index) === most)!;
  const incident = buildIncident('scripted', from, to, root.fork('scripted'), () => busiest, [1, 0.5]);
  return { ...incident, kind: 'missing' };
};
