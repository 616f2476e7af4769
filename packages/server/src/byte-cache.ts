/** Keeps what was used last, up to a number of bytes. Only for values that never change under their key. */
export interface ByteCache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V, bytes: number): void;
  readonly bytes: number;
}

const ENTRY_OVERHEAD_BYTES = 200;

export const createByteCache = <K, V>(maxBytes: number): ByteCache<K, V> => {
  const entries = new Map<K, { value: V; bytes: number }>();
  let total = 0;
  return {
    get bytes() {
      return total;
    },
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, valueBytes) {
      const bytes = valueBytes + ENTRY_OVERHEAD_BYTES;
      if (bytes > maxBytes) return;
      const previous = entries.get(key);
      if (previous) {
        entries.delete(key);
        total -= previous.bytes;
      }
      entries.set(key, { value, bytes });
      total += bytes;
      for (const [oldest, entry] of entries) {
        if (total <= maxBytes) break;
        entries.delete(oldest);
        total -= entry.bytes;
      }
    },
  };
};
