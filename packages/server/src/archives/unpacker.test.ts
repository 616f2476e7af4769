import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { rawTar } from './testing/raw-tar.ts';
import { rawZip } from './testing/raw-zip.ts';
import { MIB, NO_LIMITS, openScratch } from './testing/scratch.ts';
import { THREAD_FILE } from './testing/thread-file.ts';
import { tarOfZeros } from './testing/zeros.ts';
import { type Unpacker, type UnpackerOptions, openUnpacker } from './unpacker.ts';

let unpacker: Unpacker | null = null;
const open = (options: UnpackerOptions = {}): Unpacker => {
  unpacker = openUnpacker({ ...options, threadFile: THREAD_FILE });
  return unpacker;
};
afterEach(() => unpacker?.close());

const small = rawZip([{ name: 'a.txt', content: 'text' }]);
/** Takes far longer than it takes to abort it. */
const large = tarOfZeros(4096 * MIB);

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await delay(5);
};

describe('the thread that unpacks', () => {
  it('starts with the first task and ends when there is nothing to do, again and again', async () => {
    using first = openScratch(small);
    using second = openScratch(small);
    const { unpack, ...rest } = open({ idleMs: 20 });
    expect(rest.awake).toBe(false);
    for (const scratch of [first, second]) {
      const done = unpack(scratch);
      await until(() => unpacker!.awake);
      expect(await done).toMatchObject({ kind: 'archive', entries: [{ path: 'a.txt' }] });
      await until(() => !unpacker!.awake);
    }
  });

  it('takes one task after the other, whatever becomes of them', async () => {
    const { unpack } = open();
    using good = openScratch(small);
    using bad = openScratch(small.subarray(0, 40));
    using page = openScratch('<!doctype html>');
    using missing = openScratch('');
    using another = openScratch(small);
    const outcomes = await Promise.allSettled([
      unpack(good),
      unpack(bad),
      unpack(page),
      unpack({ ...missing, file: `${missing.file}-missing` }),
      unpack(another),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: { kind: 'archive' } },
      { status: 'rejected', reason: { code: 'unsafe_archive' } },
      { status: 'fulfilled', value: { kind: 'html' } },
      { status: 'rejected', reason: { message: expect.stringContaining('ENOENT') as string } },
      { status: 'fulfilled', value: { kind: 'archive' } },
    ]);
  });

  it('makes the folder, but does not touch one that is not empty', async () => {
    const { unpack } = open();
    using scratch = openScratch(small);
    const intoDir = join(scratch.intoDir, 'new', 'folder');
    expect(await unpack({ ...scratch, intoDir })).toMatchObject({ kind: 'archive' });
    writeFileSync(join(scratch.intoDir, 'new', 'kept'), '');
    await expect(unpack({ ...scratch, intoDir: join(scratch.intoDir, 'new') })).rejects.toThrow('is not empty');
    expect(existsSync(join(scratch.intoDir, 'new', 'kept'))).toBe(true);
  });

  it('refuses an archive that takes too much memory, and starts again for the next', async () => {
    const faults: Error[] = [];
    const { unpack } = open({ memoryMb: 16, onFault: (fault) => faults.push(fault) });
    const names = Array.from({ length: 20_000 }, (_, index) => ({ name: `${`${index}/`.repeat(12)}file` }));
    using greedy = openScratch(gzipSync(rawTar(names), { level: 1 }), NO_LIMITS);
    using modest = openScratch(small);
    await expect(unpack(greedy)).rejects.toMatchObject({
      code: 'unsafe_archive',
      message: 'The archive was refused: reading it takes too much memory',
    });
    expect(greedy.list()).toEqual([]);
    expect(await unpack(modest)).toMatchObject({ kind: 'archive' });
    expect(faults).toEqual([]);
  });
});

describe('a task that is aborted', () => {
  it('ends while it runs, leaves nothing behind, and the next one runs', async () => {
    const { unpack } = open();
    using scratch = openScratch(large, NO_LIMITS);
    using next = openScratch(small);
    const stopping = new AbortController();
    const done = unpack({ ...scratch, signal: stopping.signal });
    const following = unpack(next);
    await until(() => scratch.list().length > 0);
    stopping.abort(new Error('The client went away'));
    await expect(done).rejects.toThrow('The client went away');
    expect(scratch.list()).toEqual([]);
    expect(await following).toMatchObject({ kind: 'archive' });
  });

  it('never starts when it was aborted before', async () => {
    using scratch = openScratch(small);
    const aborted = open().unpack({ ...scratch, signal: AbortSignal.abort(new Error('Too late')) });
    await expect(aborted).rejects.toThrow('Too late');
    expect(unpacker!.awake).toBe(false);
  });

  it('is refused when the service stops, running or waiting', async () => {
    const { unpack, close } = open();
    using running = openScratch(large, NO_LIMITS);
    using waiting = openScratch(small);
    const first = unpack(running);
    await until(() => running.list().length > 0);
    const outcomes = Promise.allSettled([first, unpack(waiting)]);
    await close();
    expect(await outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'unavailable' } },
      { status: 'rejected', reason: { code: 'unavailable' } },
    ]);
    expect([...running.list(), ...waiting.list()]).toEqual([]);
    expect(unpacker!.awake).toBe(false);
    await expect(unpack(waiting)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
