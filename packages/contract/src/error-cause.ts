// oxlint-disable-next-line no-control-regex
const ANSI_CODES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const QUOTED_PATH = /(["'`])(?:[a-z]:)?[\\/][^"'`\n]*\1/gi;
const LONGEST_LINE = 2_000;
const LONGEST_CAUSE = 300;

export const withoutAnsi = (text: string): string => text.replace(ANSI_CODES, '');

/**
 * The first line of an error with what differs from run to run replaced, so that errors of one cause are one group.
 * Applied to its own result it changes nothing.
 */
export const errorCause = (error: string): string => {
  const cause = withoutPaths(firstLine(error).replace(/https?:\/\/[^\s"'`<>)\]]+/gi, '<url>'))
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>')
    .replace(/\b(?:0x[0-9a-f]+|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,})\b/gi, '<id>')
    .replace(/\b(?=[a-z]*\d)[a-z\d]{20,}\b/gi, '<id>')
    .replace(/\d+(?:[.,:]\d+)*/g, '<n>')
    .replace(/\s+/g, ' ')
    .trim();
  return cause.length > LONGEST_CAUSE ? `${cut(cause, LONGEST_CAUSE - 1).trimEnd()}…` : cause;
};

/** Until none is left: quotes of one kind may stand within those of another. */
const withoutPaths = (line: string): string => {
  const replaced = line.replace(QUOTED_PATH, '<path>');
  return replaced === line ? line : withoutPaths(replaced);
};

const firstLine = (error: string): string => {
  const lines = withoutAnsi(error.slice(0, 4 * LONGEST_LINE)).split('\n');
  const line = lines.find((text) => text.trim() !== '') ?? '';
  return cut(line.replace(CONTROL_CHARACTERS, ' '), LONGEST_LINE);
};

/** Never between the two halves of a character. */
const cut = (text: string, length: number): string =>
  text.length > length ? text.slice(0, length).replace(/[\ud800-\udbff]$/, '') : text;
