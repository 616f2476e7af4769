/** Where a program says what happens. */
export interface Output {
  /** A line that stays. */
  say(line: string): void;
  /** A line that the next one replaces; null clears it. */
  progress(line: string | null): void;
}

/** A report may hold anything, such as what clears a terminal or turns the direction of writing. */
export const printable = (text: string): string => text.replaceAll(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');

const LOG_EVERY_MS = 10_000;

/** A terminal has one line of progress; a log gets a new one now and then. */
export const outputTo = (stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): Output => {
  let isOpen = false;
  let loggedAt = -Infinity;
  const clear = (): void => {
    if (isOpen) stream.write('\r\u001b[K');
    isOpen = false;
  };
  return {
    say(line) {
      clear();
      stream.write(`${printable(line)}\n`);
    },
    progress(line) {
      if (!stream.isTTY) {
        if (line === null || performance.now() - loggedAt < LOG_EVERY_MS) return;
        loggedAt = performance.now();
        stream.write(`${line}\n`);
        return;
      }
      clear();
      if (line === null) return;
      stream.write(line);
      isOpen = true;
    },
  };
};
