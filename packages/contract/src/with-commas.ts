/** For descriptions: `toLocaleString` would load every locale first, in each process that imports them. */
export const withCommas = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
