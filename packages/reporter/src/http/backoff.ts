const FIRST_DELAY_MS = 400;
const LONGEST_DELAY_MS = 15_000;

/**
 * How long to wait after a try that failed, counted from 1: twice as long each time, spread by half so that shards that
 * failed together do not come back together. What the service asks for is waited for, within limits.
 */
export const retryDelayMs = (attempt: number, retryAfter: string | undefined, random = Math.random): number => {
  const spread = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + random());
  const asked = Number(retryAfter) * 1000;
  return Math.min(LONGEST_DELAY_MS, Number.isFinite(asked) && asked > 0 ? asked + spread : spread);
};
