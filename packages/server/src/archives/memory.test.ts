import { beforeAll, describe, expect, it } from 'vitest';
import { MIB, NO_LIMITS, openScratch } from './testing/scratch.ts';
import { THREAD_FILE } from './testing/thread-file.ts';
import { tarOfZeros, zipOfZeros } from './testing/zeros.ts';
import { openUnpacker } from './unpacker.ts';

const SIZE_BYTES = 200 * MIB;
/** More than the thread itself takes, and less than an entry in memory would. */
const ALLOWED_BYTES = 150 * MIB;
const memoryMb = 32;

const watchMemory = (): { stop(): number } => {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  return {
    stop() {
      clearInterval(watch);
      return peak - before;
    },
  };
};

describe.each(Object.entries({ 'a zip': zipOfZeros, 'a tar.gz': tarOfZeros }))('%s of 200 MB', (_, make) => {
  let archive: Buffer;
  beforeAll(async () => {
    archive = await make(SIZE_BYTES);
  });

  it('is unpacked in a small thread with flat memory', async () => {
    using scratch = openScratch(archive, NO_LIMITS);
    const unpacker = openUnpacker({ memoryMb, threadFile: THREAD_FILE });
    const memory = watchMemory();
    const unpacked = await unpacker.unpack(scratch);
    expect(memory.stop()).toBeLessThan(ALLOWED_BYTES);
    expect(unpacked).toMatchObject({ entries: [{ path: 'zeros', sizeBytes: SIZE_BYTES }] });
    await unpacker.close();
  });

  it('is refused as a bomb when its ratio is above the limit', async () => {
    using scratch = openScratch(archive, { ...NO_LIMITS, maxRatio: 100 });
    const unpacker = openUnpacker({ memoryMb, threadFile: THREAD_FILE });
    await expect(unpacker.unpack(scratch)).rejects.toMatchObject({
      message: 'The archive was refused at "zeros": it inflates to more than 100 times its size',
    });
    expect(scratch.list()).toEqual([]);
    await unpacker.close();
  });
});
