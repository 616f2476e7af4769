/** Lets one piece of work at a time have a key; others wait in the order they came. */
export interface Locks {
  with<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export const createLocks = (): Locks => {
  const last = new Map<string, Promise<unknown>>();
  return {
    with(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      last.set(key, mine);
      const leave = (): void => {
        if (last.get(key) === mine) last.delete(key);
      };
      mine.then(leave, leave);
      return mine;
    },
  };
};
