/** Of one error, and of what one attempt wrote to one stream; in characters. */
export const MAX_ERROR = 64 * 1024;
export const MAX_OUTPUT = 16 * 1024;

/** For the line that says how much is missing. */
const ROOM_FOR_NOTE = 60;

/** A part of a text keeps all of it in memory, and with it the file; a copy does not. */
export const copyOf = (text: string): string => Buffer.from(text).toString();

export const shorten = (text: string, length: number): string =>
  copyOf(text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Keeps the beginning and the end, and says how much is missing between them. */
export const trimText = (text: string, length: number): string => {
  if (text.length <= length) return copyOf(text);
  const half = halfOf(length);
  return copyOf(withNote(text.slice(0, half), text.length - 2 * half, text.slice(-half)));
};

const halfOf = (length: number): number => Math.floor((length - ROOM_FOR_NOTE) / 2);

const withNote = (start: string, missing: number, end: string): string =>
  `${start}\n… ${missing} characters left out …\n${end}`;

/** Text that comes in pieces, of which only so much is kept as `trimText` would show. */
export interface GrowingText {
  add(text: string): void;
  text(): string;
}

export const growText = (length: number): GrowingText => {
  const half = halfOf(length);
  let start = '';
  let end = '';
  let total = 0;
  return {
    add(text) {
      total += text.length;
      const room = half - start.length;
      if (room > 0) start += text.slice(0, room);
      const rest = room > 0 ? text.slice(room) : text;
      if (rest === '') return;
      end += rest;
      // Copied only when it has doubled, so that many small pieces stay cheap.
      if (end.length > 2 * half) end = end.slice(-half);
    },
    text() {
      const kept = end.length > half ? end.slice(-half) : end;
      const missing = total - start.length - kept.length;
      return missing > 0 ? withNote(start, missing, kept) : start + kept;
    },
  };
};
