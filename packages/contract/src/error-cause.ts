import { maskValues } from './cause-mask.ts';

// oxlint-disable-next-line no-control-regex
const ANSI_CODES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const LONGEST_TEXT = 32_000;
const LONGEST_LINE = 4_000;
const LONGEST_CAUSE = 400;
const MOST_LINES = 400;

/** Rises when the same error gets another cause: causes of different versions must not be compared. */
export const CAUSE_VERSION = 3;

export const withoutAnsi = (text: string): string => (text.includes('\u001b') ? text.replace(ANSI_CODES, '') : text);

/**
 * One line that is the same for errors of one cause: the class and message of an error, what it was looking for or
 * expected and what caused it, with what differs from run to run replaced. Where that says nothing, such as two numbers
 * that differ, the failed statement or the place in the code does.
 */
export const errorCause = (error: string): string => {
  const lines = linesOf(error);
  const messages = lines.filter((line) => !STACK_FRAME.test(line));
  const told = messages.length > 0 ? messages : lines;
  const at = headAt(told);
  const head = headOf(told, at);
  const message = maskValues(cut([head, ...detailsOf(told.slice(at), head)].join(' · ')));
  const source = saysNothing(message) ? (statementIn(lines) ?? placeIn(lines)) : null;
  return shorten(source === null ? message : `${message} · ${maskValues(source)}`);
};

const GENERIC =
  '(?:expect(?:ed|ation)?|received?|actual(?:ly)?|got|want(?:ed)?|found|but|was|were|is|are|not|to|be|of|that|two|than|above|below|greater|less|close|difference|have|a|length|strictly|deeply|strings?|arrays?|equals?|equality|areequal|notequal|same|differ(?:ent)?|matches|values?|assert(?:ing|ion)?(?:error|failederror)?|error|failed|failure|err_assertion|left|right|object|tobe(?:greaterthan|lessthan)?(?:orequal)?|toequal|tostrictequal|tohavelength|true|false|null|none|nil|undefined|org|opentest<\\*>j|java|lang)';
const GENERIC_WORDS = new RegExp(String.raw`\b${GENERIC}\b`, 'gi');
const OTHER_WORD = new RegExp(String.raw`\b(?!${GENERIC}\b)[a-z]{2}`, 'i');

/** The first look is quicker and nearly always enough. */
const saysNothing = (message: string): boolean =>
  message !== '' && !OTHER_WORD.test(message) && !/[\p{L}\d]/u.test(message.replace(GENERIC_WORDS, ''));

const linesOf = (error: string): string[] =>
  withoutAnsi(error.slice(0, LONGEST_TEXT))
    .split('\n', MOST_LINES)
    .map((line) => cut(line).trimEnd())
    .filter((line) => line !== '');

const STACK_FRAME = /^\s*(?:at\s|❯|File "|\.\.\. \d+ more|\S+\.(?:rb|rs):\d+|\S+\.py:\d+: in |# \S+\.rb:\d+)/;

/** Titles, rules and source that runners print before the error itself. */
const PREAMBLE = [
  /^\s*●/,
  /^\s*(?:\d+\) )?\[[^\]]+\] › /,
  /^[\s─═⎯=-]+$/,
  /^\s*Retry #\d/,
  /^\s*(?:=== |--- FAIL)/,
  /^\s*(?:\S+\.go:\d+:\s*)?(?:Error Trace:.*)?$/,
  /^<--- |^\[\d+:0x/,
  / FAILED$/,
  /^\S+:\d+: Failure$/,
];
const BARE_TIMEOUT = /^\s*Test timeout of \d+ms exceeded\.$/;
const PYTEST = /^E\s{2,}(?=\S)/;

const headAt = (lines: readonly string[]): number => {
  const pytest = lines.findIndex((line) => PYTEST.test(line));
  if (pytest >= 0) return pytest;
  const traceback = lines.findLastIndex((line) => line.startsWith('Traceback (most recent call last)'));
  if (traceback >= 0) {
    const raised = lines.findIndex((line, at) => at > traceback && /^\S/.test(line));
    if (raised > 0) return raised;
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

/** What runners put before a message: the place, a level, a thread, a label. */
const PREFIX = /^\s*(?:[\w./-]+\.go:\d+: ?)?(?:\[(?:ERROR|pool-[\w-]+)\] )?(?:(?:Error|Messages):\s{2,})?/;
const MOST_HEAD_LINES = 8;

const headOf = (lines: readonly string[], at: number): string => {
  const line = lines[at] ?? '';
  if (PYTEST.test(line)) {
    const text = line.replace(PYTEST, '');
    const ended = lines.flatMap((other) => /^\S+\.py:\d+: (\w+)$/.exec(other)?.[1] ?? [])[0];
    return ended !== undefined && !text.startsWith(ended) ? `${ended}: ${text}` : text;
  }
  let head = line
    .replace(PREFIX, '')
    .trim()
    .replace(/^thread '.*panicked at \S+$/, 'panicked:');
  // Some messages go on, or begin, on the lines below.
  for (let more = 1; more < MOST_HEAD_LINES && /[:[{(,]$/.test(head); more++) {
    const next = lines[at + more]?.trim();
    if (next === undefined || /^(?:\d+\)|[-+] |Call log)/.test(next)) break;
    head += ` ${next}`;
  }
  return head;
};

/** A pattern for a line, and signs in lower case: no text without one of them has such a line, which is quicker to see. */
interface Line {
  readonly signs: readonly string[];
  readonly pattern: RegExp;
}

const EXPECTED: Line = { signs: ['expected'], pattern: /^ *Expected(?: [a-z ]{1,30})?:\s*(.+)$/im };
const RECEIVED: Line = {
  signs: ['received', 'but was', 'actual', 'got'],
  pattern: /^ *(?:Received|But was|Actual|Got)(?: [a-z ]{1,30})?:\s*(.+)$/im,
};
const LOCATOR: Line = { signs: ['locator:'], pattern: /^ *Locator:\s*(.+)$/m };
const WAITING: Line = {
  signs: ['waiting for '],
  pattern:
    /^ *-? *waiting for ((?:(?:locator|getBy|frameLocator|page\.)\S*\(|(?:response|request|navigation to) ").*)$/m,
};
const DIFFERENCE: Line = { signs: ['- expected', '- snapshot'], pattern: /^\s*- (?:Expected|Snapshot)/ };
/** Lines that say more of what went wrong than the message above them. */
const DETAILS: readonly Line[] = [
  { signs: ['snapshot'], pattern: /^ *Snapshot(?: name)?: *(.+)$/m },
  { signs: ['- → '], pattern: /^ *- → ([A-Z]+ .+)$/m },
  { signs: ['> '], pattern: /^ *> (?!\d+ \|)(\S.*)$/m },
  { signs: ['status code'], pattern: /^(.*status code.*)$/im },
  { signs: ['but was: '], pattern: /^ *(expected: .+ but was: .+)$/m },
  { signs: ['to '], pattern: /^ *(to (?:be|contain|have|match|equal)\b.*)$/m },
  { signs: [':\n'], pattern: /^ *([A-Z]\w*Error:\n.+)$/m },
  { signs: ['running tests:'], pattern: /^\s*running tests:\s+(\w+)/m },
];
const MESSAGES: Line = { signs: ['messages:'], pattern: /^\s*Messages:\s*(.+)$/m };
const CAUSES: Line = { signs: ['caused by:', '[cause]:'], pattern: /^\s*(?:Caused by|\[cause\]):\s*.+$/gm };

/** What the error was about, from the lines below its message. */
const detailsOf = (lines: readonly string[], head: string): string[] => {
  const text = lines.join('\n');
  const lowered = text.toLowerCase();
  const mayHave = ({ signs }: Line): boolean => signs.some((sign) => lowered.includes(sign));
  const find = (line: Line): string | null => (mayHave(line) ? (line.pattern.exec(text)?.[1]?.trim() ?? null) : null);
  const expected = EXPECTED.pattern.test(head) ? null : find(EXPECTED);
  const received = find(RECEIVED);
  const locator = find(LOCATOR) ?? find(WAITING);
  const details =
    locator !== null
      ? // What a page shows meanwhile differs; in which state an element is does not.
        [locator, matching(/^["/]/, expected), matching(/^[a-z ]+$/, received)]
      : expected !== null && received !== null
        ? [`expected ${expected}, received ${received}`]
        : [mayHave(DIFFERENCE) ? matching(/[a-z]/i, differenceIn(lines)) : null, ...DETAILS.map(find)];
  const causes = mayHave(CAUSES) ? (text.match(CAUSES.pattern) ?? []) : [];
  return [...details, find(MESSAGES), ...causes.map(afterColon)].flatMap((detail) => {
    const line = detail?.replace(/\s+/g, ' ') ?? '';
    return head.includes(line) ? [] : line;
  });
};

const afterColon = (line: string): string => line.slice(line.indexOf(':') + 1).trimStart();

const matching = (pattern: RegExp, text: string | null): string | null =>
  text !== null && pattern.test(text) ? text : null;

/** The first line that was expected and is missing, and what is there instead. */
const differenceIn = (lines: readonly string[]): string | null => {
  const title = lines.findIndex((line) => DIFFERENCE.pattern.test(line));
  if (title < 0) return null;
  const below = lines.slice(title + 2);
  const missing = below.find((line) => /^\s*-\s/.test(line));
  const instead = below.find((line) => /^\s*\+\s/.test(line));
  return missing === undefined && instead === undefined ? null : `${missing?.trim() ?? ''} ${instead?.trim() ?? ''}`;
};

/** The statement that failed, from the source that some runners print: marked, or with a caret below. */
const statementIn = (lines: readonly string[]): string | null => {
  for (const [at, line] of lines.entries()) {
    const pytest = /^>\s{2,}(\S.*)$/.exec(line)?.[1];
    if (pytest !== undefined) return pytest;
    if (/^[\s\d]*\|\s*\^/.test(line)) return /^[>\s]*\d+ ?\|(.*)$/.exec(lines[at - 1] ?? '')?.[1]?.trim() ?? null;
  }
  return null;
};

/** The method or file that an error came up in. */
const placeIn = (lines: readonly string[]): string | null => {
  const frame = ownFrame(lines);
  if (frame === null) return null;
  const method = /^\s*at [\w.$]*?(\w+\.[\w$]+)\(.*(?:\.(?:java|kt|scala|groovy):\d+\)$|:line \d+$)/.exec(
    frame.line,
  )?.[1];
  return (
    method ??
    frame.place
      .replace(/(?::\d+)+$/, '')
      .split(/[\\/]/)
      .at(-1)!
  );
};

/** Keeps both ends, for some messages end with what went wrong. */
const shorten = (cause: string): string =>
  cause.length > LONGEST_CAUSE
    ? `${cut(cause, (2 * LONGEST_CAUSE) / 3).trimEnd()}…${cause.slice(1 - LONGEST_CAUSE / 3).replace(/^[\udc00-\udfff]/, '')}`
    : cause;

/** Never between the two halves of a character. */
const cut = (text: string, length = LONGEST_LINE): string =>
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
  /^(\S+\.php:\d+)$/,
];

/** Where in the code under test or its tests an error came up: the first frame that is nobody else's; null when none is. */
export const errorPlace = (error: string): string | null => ownFrame(linesOf(error))?.place ?? null;

const ownFrame = (lines: readonly string[]): { readonly line: string; readonly place: string } | null => {
  const python = lines[0]?.startsWith('Traceback') ?? false;
  for (const line of python ? lines.toReversed() : lines) {
    if (FOREIGN.test(line.replace(/^\s*at /, ''))) continue;
    for (const frame of FRAMES) {
      const [, place, number] = frame.exec(line) ?? [];
      if (place !== undefined) return { line, place: number === undefined ? place : `${place}:${number}` };
    }
  }
  return null;
};
