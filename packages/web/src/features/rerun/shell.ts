/** An argument as a POSIX shell reads it. */
export const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** They act in a terminal that a command is pasted into, whatever quotes are around them. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;

export const hasControls = (text: string): boolean => text.search(CONTROLS) >= 0 || !text.isWellFormed();

/** A regular expression, of JavaScript or Go, that matches this text; `\W` stands for a control character. */
export const patternOf = (text: string): string =>
  text
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    .replaceAll(CONTROLS, String.raw`\W`)
    .replaceAll(/\p{Surrogate}/gu, String.raw`\W`);

/** The same for a path, in which any character may stand for a dot. */
export const pathPatternOf = (path: string): string => patternOf(path).replaceAll(String.raw`\.`, '.');
