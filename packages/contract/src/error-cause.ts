import { isStatusCode } from './status-codes.ts';

// oxlint-disable-next-line no-control-regex
const ANSI_CODES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const QUOTED_PATH = /(["'`])(?:[a-z]:)?[\\/][^"'`\n]*\1/gi;
const LONGEST_TEXT = 8_000;
const LONGEST_LINE = 2_000;
const LONGEST_CAUSE = 300;
const MOST_LINES = 80;

/** Rises when the same error gets another cause: causes of different versions must not be compared. */
export const CAUSE_VERSION = 2;

export const withoutAnsi = (text: string): string => text.replace(ANSI_CODES, '');

/**
 * One line that is the same for errors of one cause: the class and message of an error, what it was looking for or
 * expected, with what differs from run to run replaced. HTTP status codes stay.
 */
export const errorCause = (error: string): string => {
  const lines = linesOf(error);
  const at = headAt(lines);
  const head = headOf(lines, at);
  const detail = detailOf(lines.slice(at), head);
  const message = mask(detail === null ? head : `${cut(head, LONGEST_LINE)} · ${detail}`);
  const file = SAYS_NOTHING.test(message.replace(GENERIC_WORDS, '')) ? fileOf(errorPlace(error)) : null;
  const cause = file === null || message === '' ? message : `${message} · ${mask(file)}`;
  return cause.length > LONGEST_CAUSE ? `${cut(cause, LONGEST_CAUSE - 1).trimEnd()}…` : cause;
};

/** Assertions on numbers alone: what remains of them says nothing, so that the file they are in has to. */
const GENERIC_WORDS =
  /\b(?:expect(?:ed|ation)?|received?|actual|got|want|found|but|was|is|not|to|be|strictly|deeply|equals?|equality|values?|assert(?:ion)?(?:error|failederror)?|error|err_assertion|object|tobe(?:greaterthan|lessthan)?|toequal|tostrictequal|org|opentest4j|java|lang|n)\b/gi;
const SAYS_NOTHING = /^[^\p{L}\d]*$/u;

const fileOf = (place: string | null): string | null =>
  place
    ?.replace(/(?::\d+)+$/, '')
    .split(/[\\/]/)
    .at(-1) ?? null;

const linesOf = (error: string): string[] =>
  withoutAnsi(error.slice(0, LONGEST_TEXT))
    .split('\n')
    .map((line) => cut(line.replace(CONTROL_CHARACTERS, ' '), LONGEST_LINE).trimEnd())
    .filter((line) => line.trim() !== '')
    .slice(0, MOST_LINES);

/** Titles, rules and source that runners print before the error itself. */
const PREAMBLE = [
  /^\s*●/,
  /^\s*\[[^\]]+\] › /,
  /^[\s─═⎯=-]+$/,
  /^\s*Retry #\d/,
  /^\s*(?:=== |--- FAIL)/,
  /^\s*Error Trace:/,
];
const BARE_TIMEOUT = /^\s*Test timeout of \d+ms exceeded/;
const PYTEST = /^E\s{2,}(?=\S)/;

const headAt = (lines: readonly string[]): number => {
  const pytest = lines.findIndex((line) => PYTEST.test(line));
  if (pytest >= 0) return pytest;
  if (lines[0]?.startsWith('Traceback (most recent call last)')) {
    const last = lines.findLastIndex((line) => /^[A-Za-z_][\w.]*(?::\s|$)/.test(line));
    if (last > 0) return last;
  }
  const first = lines.findIndex(
    (line, at) =>
      !PREAMBLE.some((pattern) => pattern.test(line)) &&
      !(/^\S+:\d+:\d+ /.test(line) && PREAMBLE[1]!.test(lines[at + 1] ?? '')),
  );
  if (first < 0) return 0;
  // Playwright names what timed out in an error of its own below.
  const named = BARE_TIMEOUT.test(lines[first]!) ? lines.findIndex((line) => /^\s*Error: \w/.test(line)) : -1;
  return Math.max(first, named);
};

const GO_PLACE = /^\s*[\w./-]+\.go:\d+: ?/;
const LABEL = /^\s*(?:Error|Messages):\s{2,}/;

const headOf = (lines: readonly string[], at: number): string => {
  const line = lines[at] ?? '';
  if (PYTEST.test(line)) {
    const text = line.replace(PYTEST, '');
    const ended = lines.flatMap((other) => /^\S+\.py:\d+: (\w+)$/.exec(other)?.[1] ?? [])[0];
    return ended !== undefined && !text.startsWith(ended) ? `${ended}: ${text}` : text;
  }
  const text = line.replace(GO_PLACE, '').replace(LABEL, '').trim();
  const panic = /panicked at \S+$/.test(text);
  const next = lines[at + 1]?.trim();
  return next !== undefined && (panic || /(?:[^\w)]|equal):$/.test(text) || text.endsWith('equal:'))
    ? `${panic ? 'panicked:' : text} ${next}`
    : text;
};

const STACK_FRAME = /^\s*(?:at\s|❯|File "|\S+\.(?:rb|py|go|rs):\d+)/;
const VALUE = String.raw`(?: string| substring| pattern| value)?:\s*(.+)$`;
const EXPECTED = new RegExp(`^\\s*Expected${VALUE}`, 'i');
const RECEIVED = new RegExp(`^\\s*(?:Received|But was|Actual|Got)${VALUE}`, 'i');

/** What the error was about, from the lines below its message; null when these say no more. */
const detailOf = (lines: readonly string[], head: string): string | null => {
  const find = (pattern: RegExp): string | null => {
    for (const line of lines) {
      const found = pattern.exec(line)?.[1]?.trim();
      if (found) return found;
    }
    return null;
  };
  const locator =
    find(/^\s*Locator:\s*(.+)$/) ?? find(/^\s*-?\s*waiting for ((?:locator|getBy|frameLocator|page\.)\S*\(.*)$/);
  if (locator !== null) return head.includes(locator) ? null : locator;
  const caused = find(/^\s*(?:Caused by|\[cause\]):\s*(.+)$/);
  if (caused !== null) return caused;
  const own = lines.slice(
    1,
    Math.max(
      1,
      lines.findIndex((line, at) => at > 0 && STACK_FRAME.test(line)),
    ) || lines.length,
  );
  const status = own.find((line) => /status code/i.test(line));
  if (status !== undefined) return status.trim();
  const java = own.flatMap((line) => /^\s*(expected: .+ but was: .+)$/.exec(line)?.[1] ?? [])[0];
  if (java !== undefined) return java;
  const expected = find(EXPECTED);
  const received = find(RECEIVED);
  return expected !== null && received !== null && !EXPECTED.test(head)
    ? `expected ${expected}, received ${received}`
    : null;
};

const mask = (text: string): string =>
  withoutPaths(text.replace(/https?:\/\/[^\s"'`<>)\]]+/gi, '<url>'))
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>')
    .replace(/\b(?:0x[0-9a-f]+|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,})\b/gi, '<id>')
    .replace(/\b(?=[a-z]*\d)[a-z\d]{20,}\b/gi, '<id>')
    .replace(/\d+(?:[.,:]\d+)*/g, (number, at: number, whole: string) =>
      isStatusCode(number, at, whole) ? number : '<n>',
    )
    .replace(/\s+/g, ' ')
    .trim();

/** Until none is left: quotes of one kind may stand within those of another. */
const withoutPaths = (line: string): string => {
  const replaced = line.replace(QUOTED_PATH, '<path>');
  return replaced === line ? line : withoutPaths(replaced);
};

/** Never between the two halves of a character. */
const cut = (text: string, length: number): string =>
  text.length > length ? text.slice(0, length).replace(/[\ud800-\udbff]$/, '') : text;

/** Frames of runners, assertion libraries and languages. */
const FOREIGN =
  /node_modules|node:|internal\/|site-packages|\/gems\/|\/lib\/python|\/rustc\/|^(?:async )?(?:java|javax|jdk|sun|kotlin|scala|groovy)\.|java\.base\/|org\.(?:junit|opentest4j|testng|hamcrest|assertj|gradle|apache\.maven|codehaus|springframework)\.|io\.restassured\./;
const FRAMES = [
  /^\s*at (?:.*\()?((?:file:\/\/)?[^()\s]+:\d+:\d+)\)?$/,
  /^\s*❯ (?:\S+ )?(\S+:\d+:\d+)$/,
  /^\s*at (?:[\w.$/]+)\(([\w$]+\.\w+:\d+)\)$/,
  /^\s*File "([^"]+)", line (\d+)/,
  /^(\S+\.py:\d+): \w+$/,
  /^\s*([\w./-]+\.go:\d+):/,
  / in (\S.*):line (\d+)$/,
  /^\s*(?:# )?(\S+\.rb:\d+):in /,
  /panicked at (\S+\.rs:\d+:\d+)/,
];

/** Where in the code under test or its tests an error came up: the first frame that is nobody else's; null when none is. */
export const errorPlace = (error: string): string | null => {
  const lines = linesOf(error);
  const python = lines[0]?.startsWith('Traceback') ?? false;
  for (const line of python ? lines.toReversed() : lines) {
    if (FOREIGN.test(line.replace(/^\s*at /, ''))) continue;
    for (const frame of FRAMES) {
      const [, place, number] = frame.exec(line) ?? [];
      if (place !== undefined) return number === undefined ? place : `${place}:${number}`;
    }
  }
  return null;
};
