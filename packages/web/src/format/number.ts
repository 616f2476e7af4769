const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

export const formatCount = (count: number): string => whole.format(count);

/** `3 runs`, `1 run`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** A share of 0 to 1. What is not quite all never reads as all, nor what is not quite none as none. */
export const formatShare = (share: number | null): string => {
  if (share === null || Number.isNaN(share)) return '–';
  const percent = share * 100;
  if (percent > 99 && percent < 100) return `${(Math.floor(percent * 10) / 10).toFixed(1)} %`;
  if (percent > 0 && percent < 1) return `${(Math.ceil(percent * 10) / 10).toFixed(1)} %`;
  return `${Math.round(percent)} %`;
};

export const formatBytes = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[unit]!}`;
};
