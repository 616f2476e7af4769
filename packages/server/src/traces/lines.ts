import type { Readable } from 'node:stream';

const NEWLINE = 10;

export interface LineLimits {
  /** Longer lines are passed over without being kept. */
  readonly maxLineBytes: number;
  /** After so many bytes the rest is not read. */
  readonly maxBytes: number;
  /** After so many lines too, for each costs something, however short. */
  readonly maxLines: number;
}

export interface LinesRead {
  readonly bytesRead: number;
  readonly linesRead: number;
  /** False when the stream failed before its end. */
  readonly intact: boolean;
}

/** Calls for each line that is not empty. */
export const readLines = async (
  stream: Readable,
  { maxLineBytes, maxBytes, maxLines }: LineLimits,
  onLine: (line: Buffer) => void,
): Promise<LinesRead> => {
  let bytesRead = 0;
  let linesRead = 0;
  let begun: Buffer[] = [];
  let begunBytes = 0;

  const endLine = (last: Buffer): void => {
    const length = begunBytes + last.length;
    const isWhole = length > 0 && length <= maxLineBytes && linesRead < maxLines;
    const parts = begun;
    begun = [];
    begunBytes = 0;
    linesRead++;
    if (isWhole) onLine(parts.length === 0 ? last : Buffer.concat([...parts, last]));
  };

  const takeChunk = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      endLine(chunk.subarray(start, end));
      start = end + 1;
      while (chunk[start] === NEWLINE) start++;
    }
    begunBytes += chunk.length - start;
    if (begunBytes > maxLineBytes) begun = [];
    else if (start < chunk.length) begun.push(chunk.subarray(start));
  };

  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytesRead += chunk.length;
      takeChunk(chunk);
      if (bytesRead >= maxBytes || linesRead >= maxLines) return { bytesRead, linesRead, intact: true };
    }
    endLine(Buffer.alloc(0));
    return { bytesRead, linesRead, intact: true };
  } catch {
    return { bytesRead, linesRead, intact: false };
  } finally {
    stream.destroy();
  }
};
