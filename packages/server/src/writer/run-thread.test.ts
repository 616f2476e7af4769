import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServiceEvent } from '../events.ts';
import { type SubmittedBody, stepCommand } from './command.ts';
import { type Failure, crash, failStep, hold, readLog, submitProbe, takeSteps } from './testing/probe-commands.ts';
import { type Writer, openWriter } from './writer.ts';

const LARGE_BYTES = 1024 * 1024;

let folder: string;
let databaseFile: string;
let faults: string[] = [];
let events: ServiceEvent[] = [];
let writer: Writer;

const begin = (thread: string) =>
  openWriter({
    thread: new URL(thread, import.meta.url),
    database: { file: databaseFile },
    runQuietMs: 0,
    onFault: ({ message }) => faults.push(message),
    onEvents: (told) => events.push(...told),
  });
const open = async (): Promise<Writer> => {
  const opened = begin('testing/probe-thread.ts');
  await opened.started;
  return opened.writer;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-thread-'));
  databaseFile = join(folder, 'assay.db');
  using database = new DatabaseSync(databaseFile);
  database.exec('CREATE TABLE probes (name TEXT)');
  writer = await open();
});
beforeEach(async () => {
  await log();
  using database = new DatabaseSync(databaseFile, { timeout: 10_000 });
  database.exec('DELETE FROM probes');
  [faults, events] = [[], []];
});
afterAll(async () => {
  await writer.close();
  rmSync(folder, { recursive: true, force: true });
});

const bytes = (size: number): SubmittedBody => ({ bytes: new Uint8Array(size) });
const submit = (name: string, { body = bytes(10), failure }: { body?: SubmittedBody; failure?: Failure } = {}) =>
  writer.execute(submitProbe, { name, body, ...(failure && { failure }) });
const log = (): Promise<string[]> => writer.execute(readLog, {});

/** Lets everything wait that is asked for meanwhile, and then be done. */
const together = async <T>(ask: () => readonly Promise<T>[]): Promise<PromiseSettledResult<T>[]> => {
  const gate = new Int32Array(new SharedArrayBuffer(8));
  const held = writer.execute(hold, { gate });
  // What came together with it would be done before it.
  await Atomics.waitAsync(gate, 1, 0).value;
  const ended = Promise.allSettled(ask());
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  await held;
  return ended;
};

const stored = (): unknown[] => {
  using database = new DatabaseSync(databaseFile, { readOnly: true });
  return database
    .prepare('SELECT name FROM probes ORDER BY rowid')
    .all()
    .map(({ name }) => name);
};
const names = (count: number): string[] => Array.from({ length: count }, (_, nth) => `${nth}`);
const valuesOf = (results: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason));
/** In which commit each was stored, counted from the first of them. */
const commitsOf = (results: readonly PromiseSettledResult<number>[]): unknown[] => {
  const [first] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  return results.map((result) => (result.status === 'fulfilled' ? result.value - first! : result.reason));
};

describe('small submissions that wait', () => {
  it('share a commit, sixteen at most', async () => {
    const commits = commitsOf(await together(() => names(35).map((name) => submit(name))));
    expect(commits).toEqual(names(35).map((name) => Math.floor(Number(name) / 16)));
    expect(stored()).toEqual(names(35));
  });

  it('share a commit until they have 2 MiB', async () => {
    const commits = commitsOf(
      await together(() => names(9).map((name) => submit(name, { body: bytes(LARGE_BYTES / 2) }))),
    );
    expect(commits).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2]);
  });

  it('are refused alone: before anything is written the others go on, afterwards each is stored for itself', async () => {
    const refused = await together(() => [
      submit('a'),
      submit('b', { failure: 'refuse' }),
      submit('c', { failure: 'refuse to parse' }),
      submit('d'),
    ]);
    const issues = (failure: Failure) => ({ code: 'invalid_body', issues: [{ path: '/probe', message: failure }] });
    expect(commitsOf(refused)).toMatchObject([0, issues('refuse'), issues('refuse to parse'), 0]);
    expect(stored()).toEqual(['a', 'd']);

    const alone = await together(() => [submit('e'), submit('f', { failure: 'refuse after a write' }), submit('g')]);
    expect(commitsOf(alone)).toMatchObject([0, issues('refuse after a write'), 1]);
    expect(stored()).toEqual(['a', 'd', 'e', 'g']);
    expect(await log()).toEqual(expect.arrayContaining(['rolled back e, f', 'rolled back f']));
  });

  it('are told of a full disk as such, and of other faults as they are', async () => {
    await expect(submit('a', { failure: 'disk full' })).rejects.toMatchObject({ code: 'storage_full' });
    await expect(submit('b', { failure: 'no error' })).rejects.toThrow('a text');
    expect(stored()).toEqual([]);
  });
});

describe('a submission of 1 MiB', () => {
  it('is parsed in steps, and small ones are stored between them; the next large one waits', async () => {
    await together<unknown>(() => [
      submit('large', { body: bytes(LARGE_BYTES) }),
      submit('next', { body: bytes(LARGE_BYTES) }),
      submit('almost', { body: bytes(LARGE_BYTES - 1) }),
      writer.execute(takeSteps, { name: 'step', steps: 3 }),
    ]);
    const all = await log();
    expect(all.filter((line) => !line.startsWith('step'))).toEqual([
      'parses almost',
      `parsed almost of ${LARGE_BYTES - 1}`,
      'stores almost',
      'parses large',
      `parsed large of ${LARGE_BYTES}`,
      'stages large',
      'stores large',
      'unstages',
      'parses next',
      `parsed next of ${LARGE_BYTES}`,
      'stages next',
      'stores next',
      'unstages',
    ]);
    expect(all.indexOf('step 1')).toBeLessThan(all.indexOf('stores large'));
    expect(all.indexOf('step 3')).toBeLessThan(all.indexOf('stores next'));
  });

  it('leaves the others alone when it is refused or cannot be stored', async () => {
    const body = (): SubmittedBody => bytes(LARGE_BYTES);
    const ended = await together(() => [
      submit('a', { body: body(), failure: 'refuse to parse' }),
      submit('b', { body: body(), failure: 'refuse' }),
      submit('c', { body: body(), failure: 'disk full' }),
      submit('d', { body: body() }),
    ]);
    expect(commitsOf(ended)).toMatchObject([
      { code: 'invalid_body' },
      { code: 'invalid_body' },
      { code: 'storage_full' },
      0,
    ]);
    expect((await log()).filter((line) => line === 'unstages')).toHaveLength(4);
    expect(stored()).toEqual(['unstaged', 'unstaged', 'unstaged', 'd', 'unstaged']);
  });

  it('is stored even if nothing can be taken back after it', async () => {
    using database = new DatabaseSync(databaseFile, { timeout: 10_000 });
    database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON probes WHEN NEW.name = 'unstaged'
      BEGIN SELECT RAISE(ABORT, 'not now'); END`);
    await submit('large', { body: bytes(LARGE_BYTES) });
    await submit('next', { body: bytes(LARGE_BYTES) });
    // By then it has also tried to take back.
    await log();
    database.exec('DROP TRIGGER refuse');
    expect(stored()).toEqual(['large', 'next']);
  });

  it('may be a file, which is gone once it was read', async () => {
    const bodies = [10, LARGE_BYTES].map((sizeBytes) => {
      const file = join(folder, `body of ${sizeBytes}`);
      writeFileSync(file, new Uint8Array(sizeBytes));
      return { file, sizeBytes };
    });
    await submit('small', { body: bodies[0]! });
    await submit('large', { body: bodies[1]! });
    expect(await log()).toEqual(expect.arrayContaining(['parsed small of 10', 'stages large']));
    expect(bodies.map(({ file }) => existsSync(file))).toEqual([false, false]);
    await expect(submit('gone', { body: bodies[0]! })).rejects.toThrow('ENOENT');
  });
});

describe('other commands', () => {
  it('take turns, a step each', async () => {
    await together(() => ['a', 'b'].map((name) => writer.execute(takeSteps, { name, steps: 3 })));
    expect(await log()).toEqual(['a 1', 'b 1', 'a 2', 'b 2', 'a 3', 'b 3']);
  });

  it('fail alone, with their reason', async () => {
    const unknown = stepCommand('unknown', takeSteps.execute);
    const ended = await together<unknown>(() => [
      writer.execute(failStep, { failure: 'refuse' }),
      writer.execute(unknown, { name: 'unknown', steps: 1 }),
      writer.execute(failStep, { failure: 'no error' }),
      writer.execute(takeSteps, { name: 'fine', steps: 1 }),
    ]);
    expect(valuesOf(ended)).toMatchObject([
      { code: 'invalid_body' },
      { message: 'The writing thread has no command unknown' },
      { message: 'a text' },
      undefined,
    ]);
  });
});

describe('the writer', () => {
  it('tells of what is durable, and of nothing else', async () => {
    const [stored] = await together(() => [submit('a'), submit('b', { failure: 'refuse' })]);
    expect(events).toEqual([{ type: 'project', projectId: valuesOf([stored!])[0] }]);
  });

  it('starts its thread again after a crash, which fails what waits', async () => {
    const waiting = await Promise.allSettled([
      writer.execute(crash, {}),
      writer.execute(takeSteps, { name: 'endless', steps: Infinity }),
    ]);
    expect(valuesOf(waiting)).toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }]);
    expect({ faults, ready: writer.ready, waiting: writer.waiting }).toEqual({
      faults: ['crashed'],
      ready: false,
      waiting: 0,
    });
    await expect(submit('too early')).rejects.toMatchObject({ code: 'unavailable' });
    await vi.waitUntil(() => writer.ready, { timeout: 30_000 });
    await submit('later');
    expect(stored()).toEqual(['later']);
  });

  it('says when its thread cannot be started, and can be closed all the same', async () => {
    const broken = begin('data:text/javascript,throw new Error("broken")');
    const early = broken.writer.execute(readLog, {});
    await expect(broken.started).rejects.toThrow('broken');
    await expect(early).rejects.toMatchObject({ code: 'unavailable' });
    await broken.writer.close();
    expect(faults).toEqual(['broken']);
  });

  it('counts what waits, and finishes it when it is closed, but takes no more', async () => {
    const asked = names(20).map((name) => submit(name));
    expect(writer.waiting).toBe(20);
    const closing = writer.close();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(submit('late')).rejects.toMatchObject({ code: 'unavailable' });
    await Promise.all([...asked, closing]);
    expect(writer.waiting).toBe(0);
    expect(existsSync(`${databaseFile}-wal`)).toBe(false);
    expect(stored()).toEqual(names(20));
    writer = await open();
  });
});
