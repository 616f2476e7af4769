import { boundGarbage } from './garbage.ts';

/** Lists by key whose items are kept as JSON: objects of very many tests would take several times the memory. */
export interface PackedLists<T> {
  add(key: string, item: T): void;
  has(key: string): boolean;
  keys(): Iterable<string>;
  /** All lists in the order in which their first items came; each is forgotten before the next. */
  takeAll(): Generator<{ readonly key: string; readonly items: readonly [T, ...T[]] }>;
}

const LISTS_PER_COLLECTION = 1_000;

export const createPackedLists = <T>(): PackedLists<T> => {
  /** Most lists have one item. */
  const lists = new Map<string, string | string[]>();
  return {
    add(key, item) {
      const json = JSON.stringify(item);
      const others = lists.get(key);
      if (others === undefined) lists.set(key, json);
      else if (typeof others === 'string') lists.set(key, [others, json]);
      else others.push(json);
    },
    has: (key) => lists.has(key),
    keys: () => lists.keys(),
    *takeAll() {
      let taken = 0;
      for (const [key, list] of lists) {
        lists.delete(key);
        if (taken++ % LISTS_PER_COLLECTION === 0) boundGarbage();
        const items = typeof list === 'string' ? [list] : list;
        yield { key, items: items.map((json) => JSON.parse(json) as T) as [T, ...T[]] };
      }
    },
  };
};
