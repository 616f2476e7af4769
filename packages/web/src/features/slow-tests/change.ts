/** How much the later half of a series differs from the earlier half, as `+18 %`; nothing when that cannot be said. */
export const changeOf = (durations: readonly number[]): string => {
  const middle = Math.floor(durations.length / 2);
  const earlier = mean(durations.slice(0, middle));
  const later = mean(durations.slice(middle));
  if (middle === 0 || earlier === 0) return '';
  const perCent = Math.round((later / earlier - 1) * 100);
  return perCent < 0 ? `−${-perCent} %` : `+${perCent} %`;
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
