import type { SubmittedVitals } from '@assay/contract';
import { logNormal } from '../random.ts';
import type { Random } from '../random.ts';

interface Navigation {
  url: string;
  ttfb: number;
  domInteractive: number;
  domContentLoaded: number;
  loadComplete: number;
}

/** How a page loaded. */
export const vitalsOf = (random: Random, url: string, pageFactor: number): SubmittedVitals => {
  const tenths = (medianMs: number): number => Math.round(medianMs * pageFactor * logNormal(random, 0.3) * 10) / 10;
  const ttfb = tenths(90);
  const domInteractive = sum(ttfb, tenths(210));
  const domContentLoaded = sum(domInteractive, tenths(30));
  const loadComplete = sum(domContentLoaded, tenths(180));
  const navigation: Navigation = {
    url,
    ttfb,
    domInteractive,
    domContentLoaded,
    loadComplete,
  };
  const firstPaint = sum(ttfb, tenths(160));
  const vitals: SubmittedVitals = {
    navigation,
    paint: { firstPaint, firstContentfulPaint: sum(firstPaint, tenths(12)) },
    lcp: sum(firstPaint, tenths(480)),
    cls: random.chance(0.6) ? 0 : Math.round(random.next() * 1_800) / 10_000,
  };
  if (random.chance(0.7)) vitals.inp = Math.round(tenths(64) / 8) * 8;
  return vitals;
};

const sum = (a: number, b: number): number => Math.round((a + b) * 10) / 10;
