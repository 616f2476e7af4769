import type { SubmittedVitals } from '@assay/contract';
import { formatDuration } from '../../format/duration.ts';
import { type Fields, isFields } from './reading.ts';

export type Rating = 'good' | 'needs work' | 'poor';

export interface Vital {
  readonly short: string;
  readonly name: string;
  readonly value: number;
  readonly rating: Rating;
  /** Up to here it is good, and above that one poor. */
  readonly good: number;
  readonly poor: number;
  readonly format: (value: number) => string;
}

const score = (value: number): string => value.toFixed(value > 0 && value < 0.01 ? 3 : 2);

interface Measure extends Omit<Vital, 'value' | 'rating'> {
  readonly read: (vitals: SubmittedVitals) => unknown;
}

const MEASURES: readonly Measure[] = [
  {
    short: 'LCP',
    name: 'Largest contentful paint',
    good: 2_500,
    poor: 4_000,
    format: formatDuration,
    read: ({ lcp }) => lcp,
  },
  {
    short: 'INP',
    name: 'Interaction to next paint',
    good: 200,
    poor: 500,
    format: formatDuration,
    read: ({ inp }) => inp,
  },
  { short: 'CLS', name: 'Cumulative layout shift', good: 0.1, poor: 0.25, format: score, read: ({ cls }) => cls },
  {
    short: 'FCP',
    name: 'First contentful paint',
    good: 1_800,
    poor: 3_000,
    format: formatDuration,
    read: ({ paint }) => paint?.firstContentfulPaint,
  },
  {
    short: 'TTFB',
    name: 'Time to first byte',
    good: 800,
    poor: 1_800,
    format: formatDuration,
    read: (vitals) => navigationOf(vitals)['ttfb'],
  },
];

export const rate = (value: number, good: number, poor: number): Rating =>
  value <= good ? 'good' : value <= poor ? 'needs work' : 'poor';

/** The vitals that were measured. */
export const readVitals = (vitals: SubmittedVitals): Vital[] =>
  MEASURES.flatMap(({ read, ...measure }) => {
    const value = read(vitals);
    if (!isMeasured(value)) return [];
    return { ...measure, value, rating: rate(value, measure.good, measure.poor) };
  });

/** Where a value and its thresholds stand on a gauge, from 0 to 1. */
export const gaugeOf = ({ value, good, poor }: Pick<Vital, 'value' | 'good' | 'poor'>) => {
  const end = Math.max(poor * 1.4, value * 1.05);
  return { value: value / end, good: good / end, poor: poor / end };
};

export interface Timing {
  readonly name: string;
  readonly ms: number;
}

const TIMING_NAMES: Readonly<Record<string, string>> = {
  ttfb: 'First byte',
  domInteractive: 'Document interactive',
  domContentLoaded: 'Document loaded',
  loadComplete: 'Load complete',
  firstPaint: 'First paint',
  firstContentfulPaint: 'First contentful paint',
};

/** Page load, in the order it happened. */
export const readTimings = (vitals: SubmittedVitals): Timing[] =>
  Object.entries({ ...navigationOf(vitals), ...vitals.paint })
    .flatMap(([key, ms]) => (isMeasured(ms) ? { name: TIMING_NAMES[key] ?? key, ms } : []))
    .sort((a, b) => a.ms - b.ms);

export const pageOf = (vitals: SubmittedVitals): string | null => vitals.navigation?.url || null;

const navigationOf = ({ navigation }: SubmittedVitals): Fields => (isFields(navigation) ? navigation : {});

const isMeasured = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
