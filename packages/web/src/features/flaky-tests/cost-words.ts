import type { FlakeCost, RedForecast } from '@assay/contract';
import { countOf, formatCount } from '../../format/number.ts';

/** How many runs were red, how many of them by chance alone, and by which few tests, where these are listed below. */
export const costWords = ({ runs, redRuns, redByChance, tests }: FlakeCost, areListed: boolean): string => {
  const red = `${formatCount(redRuns)} of ${countOf(runs, 'run')} ${redRuns === 1 ? 'was' : 'were'} red`;
  if (redByChance === 0) return `${red}, none of them by chance alone.`;
  const chance =
    redByChance === redRuns
      ? `${red}, ${redRuns === 1 ? 'by' : 'all by'} chance alone`
      : `${red}, ${formatCount(redByChance)} of them by chance alone`;
  const few = fewest(tests, redByChance, areListed);
  return few === null ? `${chance}.` : `${chance}. ${few}`;
};

/** The fewest of the tests that make more than half of it. */
const fewest = (tests: FlakeCost['tests'], redByChance: number, areListed: boolean): string | null => {
  const at = tests.findIndex(({ freedRuns }) => freedRuns > redByChance / 2);
  if (at < 0) return null;
  const { freedRuns } = tests[at]!;
  const which = at === 0 ? 'One test makes' : `${areListed ? 'These ' : ''}${formatCount(at + 1)} tests make`;
  if (redByChance === 1) return null;
  return `${which} ${freedRuns === redByChance ? 'all' : formatCount(freedRuns)} of these ${formatCount(redByChance)}.`;
};

/** What the figures leave out; nothing where they are of all runs. */
export const outageWords = ({ outages }: FlakeCost): string | null =>
  outages === 0
    ? null
    : `${countOf(outages, 'run')} in which far more failed than usual ${outages === 1 ? 'is' : 'are'} left out.`;

export const minutesWords = ({ failedMinutes, minutesByChance }: FlakeCost): string =>
  `Attempts that failed took ${minutesOf(failedMinutes)}, of which ${minutesOf(minutesByChance)} by chance.`;

const minutesOf = (minutes: number): string =>
  minutes >= 120 ? `${formatCount(Math.round(minutes / 60))} hours` : `${formatCount(Math.round(minutes))} min`;

/** What one more retry would change. */
export const retryWords = ({ runs, redRuns, withOneMoreRetry }: FlakeCost): string => {
  if (withOneMoreRetry === null) {
    return 'What one more retry would change is not known: too few runs, or no test was ever tried again.';
  }
  const now = Math.round((redRuns / runs) * 1000) / 10;
  return `With one more retry, ${forecastWords(withOneMoreRetry)} of runs to come would be red; ${now} % were.`;
};

export const forecastWords = (forecast: RedForecast | null): string =>
  forecast === null ? 'unknown' : `${forecast.redShare} % (${forecast.low} to ${forecast.high} %)`;
