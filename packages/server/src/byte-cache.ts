/** Keeps what was used last, up to a number of bytes. Only for values that never change under their key. */
export interface ByteCache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V, bytes: number): void;
  /** Whether it would keep a value of so many bytes. */
  takes(bytes: number): boolean;
  readonly bytes: number;
}

const ENTRY_OVERHEAD_BYTES = 200;

interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
  readonly bytes: number;
  older: Entry<K, V> | null;
  newer: Entry<K, V> | null;
}

/** Entries are chained by their use: to move a key to the end of a map instead would leave garbage with every look. */
export const createByteCache = <K, V>(maxBytes: number): ByteCache<K, V> => {
  const entries = new Map<K, Entry<K, V>>();
  let oldest: Entry<K, V> | null = null;
  let newest: Entry<K, V> | null = null;
  let total = 0;

  const unchain = ({ older, newer }: Entry<K, V>): void => {
    if (older) older.newer = newer;
    else oldest = newer;
    if (newer) newer.older = older;
    else newest = older;
  };
  const chain = (entry: Entry<K, V>): void => {
    entry.older = newest;
    entry.newer = null;
    if (newest) newest.newer = entry;
    else oldest = entry;
    newest = entry;
  };
  const remove = (entry: Entry<K, V>): void => {
    unchain(entry);
    entries.delete(entry.key);
    total -= entry.bytes;
  };
  const makeRoom = (): void => {
    for (;;) {
      if (!oldest || total <= maxBytes) return;
      remove(oldest);
    }
  };
  const takes = (bytes: number): boolean => bytes + ENTRY_OVERHEAD_BYTES <= maxBytes;
  return {
    get bytes() {
      return total;
    },
    takes,
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (entry !== newest) {
        unchain(entry);
        chain(entry);
      }
      return entry.value;
    },
    set(key, value, valueBytes) {
      if (!takes(valueBytes)) return;
      const previous = entries.get(key);
      if (previous) remove(previous);
      const entry = { key, value, bytes: valueBytes + ENTRY_OVERHEAD_BYTES, older: null, newer: null };
      chain(entry);
      entries.set(key, entry);
      total += entry.bytes;
      makeRoom();
    },
  };
};
