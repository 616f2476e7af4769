/** A tree as the code that makes it. Its constants may be what JSON has no words for. */
export const literalOf = (value: unknown): string => {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : `${value}`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof RegExp) return `new RegExp(${JSON.stringify(value.source)},${JSON.stringify(value.flags)})`;
  if (Array.isArray(value)) return `[${value.map(literalOf).join()}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, part]) => `${keyOf(key)}:${literalOf(part)}`)
    .join()}}`;
};

/** Plainly written, `__proto__` would be no key. */
const keyOf = (key: string): string => (key === '__proto__' ? '["__proto__"]' : JSON.stringify(key));
