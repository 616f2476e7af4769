import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPieces } from './pieces.ts';

const PIECE = 64;
const CONTENT = randomBytes(PIECE * 20 + 17);
let folder: string;
let file: FileHandle;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-pieces-'));
  writeFileSync(join(folder, 'content'), CONTENT);
  file = await open(join(folder, 'content'));
});
afterAll(async () => {
  await file.close();
  rmSync(folder, { recursive: true });
});

it('gives each work its piece for as long as it takes, in room that others had before', async () => {
  const pieces = createPieces(PIECE, 3);
  const rooms = new Set<ArrayBufferLike>();
  const read = (from: number): Promise<void> =>
    pieces.with(file, from, Math.min(PIECE, CONTENT.length - from), async (piece) => {
      rooms.add(piece.buffer);
      await pause(Math.random() * 5);
      expect(piece.equals(CONTENT.subarray(from, from + PIECE))).toBe(true);
    });
  for (let from = 0; from < CONTENT.length; from += 3 * PIECE) {
    await Promise.all(
      [0, 1, 2]
        .map((nth) => from + nth * PIECE)
        .filter((at) => at < CONTENT.length)
        .map(read),
    );
  }
  expect(rooms.size).toBeLessThanOrEqual(3);
});

it('does not use the room again of work that failed, and refuses what is not there', async () => {
  const pieces = createPieces(PIECE, 3);
  let lost: Buffer | undefined;
  const failing = pieces.with(file, 0, PIECE, async (piece) => {
    lost = piece;
    throw new Error('on its way');
  });
  await expect(failing).rejects.toThrow('on its way');
  await pieces.with(file, PIECE, PIECE, async (piece) => expect(piece.buffer).not.toBe(lost!.buffer));
  expect(lost!.equals(CONTENT.subarray(0, PIECE))).toBe(true);
  const beyond = pieces.with(file, CONTENT.length - 1, PIECE, async () => undefined);
  await expect(beyond).rejects.toThrow('A staged file has less');
});
