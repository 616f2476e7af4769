import { type FileHandle } from 'node:fs/promises';

/** Room for pieces of files, kept for the next ones: new room for each would have to be collected as garbage. */
export interface Pieces {
  /** Reads a piece, which is valid until the work with it ends. */
  with<T>(file: FileHandle, from: number, length: number, work: (piece: Buffer) => Promise<T>): Promise<T>;
}

const KEPT_MS = 5_000;

/** Keeps room for so many pieces of so many bytes while there are any; larger ones get room of their own. */
export const createPieces = (pieceBytes: number, mostKept: number): Pieces => {
  let kept: Buffer[] = [];
  let quiet: NodeJS.Timeout | undefined;
  const keep = (room: Buffer): void => {
    if (room.length !== pieceBytes || kept.length >= mostKept) return;
    kept.push(room);
    clearTimeout(quiet);
    quiet = setTimeout(() => (kept = []), KEPT_MS).unref();
  };
  return {
    async with(file, from, length, work) {
      // Small ones come alone, and often.
      const room =
        length > pieceBytes || length < pieceBytes / 8
          ? Buffer.allocUnsafe(length)
          : (kept.pop() ?? Buffer.allocUnsafeSlow(pieceBytes));
      const { bytesRead } = await file.read(room, 0, length, from);
      if (bytesRead !== length)
        throw new Error(`A staged file has less than the ${from + length} bytes that it should`);
      // What failed may still be on its way: its room is not used again.
      const done = await work(room.subarray(0, length));
      keep(room);
      return done;
    },
  };
};
