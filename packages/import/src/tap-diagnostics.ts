/** What a YAML block below a test point says, as far as a test result needs it. */
export interface Diagnostics {
  readonly error: string;
  readonly durationMs: number | null;
  readonly isTimeout: boolean;
  /** Whether it failed only because tests in it did. */
  readonly onlyBySubtests: boolean;
}

/** Only the scalars of a block: `key: value`, quoted or in lines below, and those of one level of nesting. */
export const readDiagnostics = (lines: readonly string[]): Diagnostics => {
  const scalars = readScalars(lines);
  const get = (...keys: string[]): string => keys.map((key) => scalars.get(key)).find((value) => value) ?? '';
  const message = get('message', 'error', 'error.message', 'error.name');
  const stack = get('stack', 'error.stack');
  const duration = Number(get('duration_ms') || NaN);
  const raw = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  const where = get('location', 'at', 'at.file');
  const at = where === '' || stack.includes(where) ? '' : `at ${where.replace(/^at /, '')}`;
  const told = [message, ...comparison(get('expected', 'wanted'), get('actual', 'found')), stack, at];
  return {
    error: message === '' ? raw : told.filter((part) => part.trim() !== '').join('\n'),
    durationMs: Number.isFinite(duration) && duration >= 0 ? duration : null,
    isTimeout: get('failureType') === 'testTimeoutFailure' || /^test timed out in \d/i.test(message),
    onlyBySubtests: get('failureType') === 'subtestsFailed',
  };
};

const comparison = (expected: string, actual: string): string[] =>
  expected === '' && actual === '' ? [] : [`expected: ${expected}`, `actual: ${actual}`];

const readScalars = (lines: readonly string[]): Map<string, string> => {
  const scalars = new Map<string, string>();
  let parent = '';
  let parentIndent = -1;
  for (let at = 0; at < lines.length; at++) {
    const [, blank = '', key = '', rest = ''] = /^(\s*)["']?([\w$-]+)["']?:(?:\s+(.*))?$/.exec(lines[at]!) ?? [];
    if (key === '') continue;
    const indent = blank.length;
    if (indent <= parentIndent) parent = '';
    const name = parent === '' ? key : `${parent}.${key}`;
    if (/^[|>][+-]?\d*\s*$/.test(rest)) {
      const block = blockBelow(lines, at + 1, indent);
      scalars.set(name, block.text);
      at = block.end - 1;
    } else if (rest.trim() === '') {
      parent = key;
      parentIndent = indent;
    } else if (/^"(?:[^"\\]|\\.)*$/.test(rest)) {
      // A quoted text that goes on over lines.
      const taken = quotedOver(lines, at, rest);
      scalars.set(name, unquote(taken.text));
      at = taken.end;
    } else if (!scalars.has(name)) scalars.set(name, unquote(rest.trim()));
  }
  return scalars;
};

const blockBelow = (lines: readonly string[], from: number, indent: number): { text: string; end: number } => {
  let end = from;
  while (end < lines.length && (lines[end]!.trim() === '' || indentOf(lines[end]!) > indent)) end++;
  const block = lines.slice(from, end);
  const depth = block
    .filter((line) => line.trim() !== '')
    .reduce((least, line) => Math.min(least, indentOf(line)), Infinity);
  return {
    text: block
      .map((line) => line.slice(depth === Infinity ? 0 : depth))
      .join('\n')
      .trimEnd(),
    end,
  };
};

const quotedOver = (lines: readonly string[], from: number, start: string): { text: string; end: number } => {
  const parts = [start];
  for (let at = from + 1; at < lines.length; at++) {
    parts.push(lines[at]!);
    if (/(?:^|[^\\])"\s*$/.test(lines[at]!)) return { text: parts.join('\n'), end: at };
  }
  return { text: start, end: from };
};

const indentOf = (line: string): number => line.length - line.trimStart().length;

const unquote = (text: string): string => {
  const value = text.trim();
  if (/^'[^]*'$/.test(value) && value.length > 1) return value.slice(1, -1).replaceAll("''", "'");
  if (!/^"[^]*"$/.test(value) || value.length < 2) return value;
  const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r' };
  return value.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
};
