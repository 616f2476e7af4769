import { expect, it, vi } from 'vitest';
import { createBudget } from './budget.ts';

it('refuses a filter that takes more than three seconds for all rows of several blocks', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const budget = createBudget();
    let asked = 0;
    const take = (ms: number) => (): void => {
      asked++;
      vi.advanceTimersByTime(ms);
    };
    await budget.each(290, take(10));
    expect(asked).toBe(290);
    await expect(budget.each(1_000, take(10))).rejects.toMatchObject({
      code: 'query_too_costly',
      issues: [{ path: '/filter' }],
    });
    expect(asked).toBeLessThan(320);
  } finally {
    vi.useRealTimers();
  }
});
