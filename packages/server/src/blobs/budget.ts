/** Bounds what all work together takes at a time. */
export interface Budget {
  /** Waits until there is enough left; what costs more than all there is waits for everything else to end. */
  with<T>(cost: number, work: () => Promise<T>): Promise<T>;
}

export const createBudget = (limit: number): Budget => {
  let spent = 0;
  const waiting: { readonly cost: number; readonly begin: () => void }[] = [];
  const admit = (): void => {
    for (let next = waiting[0]; next && (spent === 0 || spent + next.cost <= limit); next = waiting[0]) {
      waiting.shift();
      spent += next.cost;
      next.begin();
    }
  };
  return {
    async with(cost, work) {
      await new Promise<void>((begin) => {
        waiting.push({ cost, begin });
        admit();
      });
      try {
        return await work();
      } finally {
        spent -= cost;
        admit();
      }
    },
  };
};
