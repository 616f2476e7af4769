import { countOf } from '../../format/number.ts';

const WEEKS_PER_YEAR = 52;

/** `about 2.3 a week`, `about 1 in 3 weeks`. */
export const falseRedsWords = (perWeek: number): string => {
  if (perWeek >= 9.95) return `about ${Math.round(perWeek)} a week`;
  if (perWeek >= 0.75) return `about ${perWeek.toFixed(1)} a week`;
  if (perWeek * WEEKS_PER_YEAR < 1) return 'less than 1 a year';
  return `about 1 in ${countOf(Math.round(1 / perWeek), 'week')}`;
};
