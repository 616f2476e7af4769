import { isDigit, nameEnd } from './name-end.ts';
import { matchAt, report, reportLimit, type Source } from './source.ts';

const RADIX = '0(?:[xX][\\da-fA-F](?:_?[\\da-fA-F])*|[oO][0-7](?:_?[0-7])*|[bB][01](?:_?[01])*)';
const DIGITS = '\\d(?:_?\\d)*';
const WHOLE = '(?:0|[1-9](?:_?\\d)*)';
const NUMBER = new RegExp(
  `(?:${RADIX}|${WHOLE}(?=n))n?|(?:${WHOLE}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?`,
  'y',
);

const TENS = Array.from({ length: 16 }, (_, i) => 10 ** i);

/** Reads the number at `pos` as token `number` (its value in `number`) or `bigint` (its text, ready for BigInt, in `value`). */
export function scanNumber(source: Source, pos: number): void {
  const { text } = source;
  let end = pos;
  let number = 0;
  while (end < text.length && end - pos < 15) {
    const digit = text.charCodeAt(end) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    number = number * 10 + digit;
    end++;
  }
  const plain = end > pos && (end - pos === 1 || text.charCodeAt(pos) !== 48) && !continues(text, end);
  source.token = 'number';
  source.start = pos;
  if (plain) {
    source.number = number;
    source.pos = end;
    return;
  }
  if (end > pos && text.charCodeAt(pos) !== 48 && text.charCodeAt(end) === 46) {
    let behind = end + 1;
    let digits = number;
    for (; behind < text.length && behind - pos < 16 && isDigit(text.charCodeAt(behind)); behind++) {
      digits = digits * 10 + text.charCodeAt(behind) - 48;
    }
    if (!continues(text, behind)) {
      // Exact: both are whole and below 2 ** 53, so the division rounds as the literal does.
      source.number = digits / TENS[behind - end - 1]!;
      source.pos = behind;
      return;
    }
  }
  scanOtherNumber(source, pos);
}

/** Whether what follows some digits may belong to the number too. */
function continues(text: string, end: number): boolean {
  if (end >= text.length) return false;
  const code = text.charCodeAt(end);
  return code === 46 || isDigit(code) || nameEnd(text, end) > end;
}

function scanOtherNumber(source: Source, pos: number): void {
  const { text } = source;
  const found = matchAt(NUMBER, text, pos)![0].replaceAll('_', '');
  const end = NUMBER.lastIndex;
  source.pos = end;
  if (found.endsWith('n')) {
    const digits = found.slice(0, -1);
    source.token = 'bigint';
    source.value = digits;
    if (digits.length > source.limits.bigintDigits) {
      reportLimit(source, 'bigintDigits', digits.length, pos, end);
      source.value = '0';
    }
  } else source.number = Number(found);
  let behind = end;
  while (behind < text.length && (isDigit(text.charCodeAt(behind)) || nameEnd(text, behind) > behind)) {
    behind = Math.max(behind + 1, nameEnd(text, behind));
  }
  if (behind === end) return;
  report(source, 'text.number', pos, behind, `${text.slice(pos, Math.min(behind, pos + 40))} is not a number`);
  source.pos = behind;
}
