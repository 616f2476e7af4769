import type { Test } from './catalogue.ts';
import type { FailureKind } from './errors/failure.ts';
import type { Random } from './random.ts';
import type { Temperament } from './temperament.ts';

/** Something that breaks tests from run `from` until before run `to`, for one cause. */
export interface Incident {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly kind: FailureKind;
  /** This test is broken for sure; others of its file and area by chance. */
  readonly slot: number;
  readonly file: number;
  readonly feature: string;
  readonly area: string;
  readonly reachInFile: number;
  readonly reachInArea: number;
}

const INCIDENT_SPAN = 24;
const OUTAGE_SPAN = 40;
const KINDS: readonly FailureKind[] = ['missing', 'assertion', 'server', 'missing', 'timeout'];

type PickTest = (random: Random) => Test;

/** The incidents that run n feels. None lasts into the span after next, so two spans are enough to look at. */
export const incidentsAt = (root: Random, n: number, temperament: Temperament, pickTest: PickTest): Incident[] => {
  const span = Math.floor(n / INCIDENT_SPAN);
  return [span - 1, span]
    .filter((candidate) => candidate >= 0)
    .flatMap((candidate) => incidentsOfSpan(root, candidate, temperament, pickTest))
    .filter(({ from, to }) => from <= n && n < to);
};

const incidentsOfSpan = (root: Random, span: number, temperament: Temperament, pickTest: PickTest): Incident[] => {
  const random = root.fork('incidents').fork(span);
  const incidents: Incident[] = [];
  const begin = (): number => span * INCIDENT_SPAN + random.integer(2, INCIDENT_SPAN - 1);
  if (random.chance(temperament.sharedIncidents)) {
    const from = begin();
    incidents.push(buildIncident(`shared-${span}`, from, from + random.integer(2, 7), random, pickTest, [0.85, 0.2]));
  }
  if (random.chance(temperament.singleIncidents)) {
    const from = begin();
    incidents.push(buildIncident(`single-${span}`, from, from + random.integer(2, 8), random, pickTest, [0, 0]));
  }
  return incidents;
};

export const buildIncident = (
  key: string,
  from: number,
  to: number,
  random: Random,
  pickTest: PickTest,
  [reachInFile, reachInArea]: readonly [number, number],
): Incident => {
  const { slot, file } = pickTest(random);
  const kind = random.pick(KINDS);
  return {
    key,
    from,
    to,
    kind,
    slot,
    file: file.index,
    feature: file.feature,
    area: file.area,
    reachInFile,
    reachInArea,
  };
};

/** Names the outage that run n falls into; it hits the tests that need the backend. */
export const outageAt = (root: Random, n: number, temperament: Temperament): string | null => {
  const span = Math.floor(n / OUTAGE_SPAN);
  const random = root.fork('outages').fork(span);
  if (!random.chance(temperament.outages)) return null;
  const from = span * OUTAGE_SPAN + random.integer(1, OUTAGE_SPAN - 2);
  const to = from + random.integer(1, 2);
  return from <= n && n < to ? `outage-${span}` : null;
};

export const isHit = (test: Test, incident: Incident): boolean => {
  if (test.slot === incident.slot) return true;
  if (test.file.area !== incident.area) return false;
  const reach = test.file.index === incident.file ? incident.reachInFile : incident.reachInArea;
  return reach > 0 && test.random.fork(incident.key).chance(reach);
};
