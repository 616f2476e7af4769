/**
 * Buffers for bodies on their way to the writer and back. A fresh buffer for each would have the memory manager busy
 * with nothing else: it counts them against the heap and collects all of it ever so often.
 */
export interface BufferPool {
  take(bytes: number): Uint8Array<ArrayBuffer>;
  release(buffer: ArrayBuffer): void;
}

const SMALLEST_BYTES = 64 * 1024;
const MAX_IDLE_BYTES = 8 * 1024 * 1024;

export const createBufferPool = (): BufferPool => {
  const idle = new Map<number, ArrayBuffer[]>();
  let idleBytes = 0;
  return {
    take(bytes) {
      let capacity = SMALLEST_BYTES;
      while (capacity < bytes) capacity *= 2;
      const buffer = idle.get(capacity)?.pop();
      if (buffer) idleBytes -= capacity;
      return new Uint8Array(buffer ?? new ArrayBuffer(capacity), 0, bytes);
    },
    release(buffer) {
      const capacity = buffer.byteLength;
      if (idleBytes + capacity > MAX_IDLE_BYTES) return;
      const same = idle.get(capacity);
      if (same) same.push(buffer);
      else idle.set(capacity, [buffer]);
      idleBytes += capacity;
    },
  };
};
