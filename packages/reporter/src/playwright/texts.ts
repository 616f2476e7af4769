import type { TestError } from '@playwright/test/reporter';

const LONGEST_ERROR = 100_000;
/** Of the output of one attempt; its end tells more than its beginning. */
const OUTPUT_BEGINNING = 4_000;
const OUTPUT_END = 12_000;
const LONGEST_CAUSES = 5;

/** The errors of an attempt as one text, with their colours, code frames and stacks; null when there are none. */
export const errorText = (errors: readonly TestError[]): string | null => {
  if (errors.length === 0) return null;
  const text = errors.map((error) => oneError(error, 0)).join('\n\n');
  if (text.length <= LONGEST_ERROR) return text;
  return `${text.slice(0, LONGEST_ERROR)}\n[${text.length - LONGEST_ERROR} more characters left out]`;
};

const oneError = (error: TestError, depth: number): string => {
  const message = error.message ?? error.value ?? 'Unknown error';
  const frames = framesOf(error.stack, message);
  const cause = error.cause && depth < LONGEST_CAUSES ? `[cause]: ${oneError(error.cause, depth + 1)}` : null;
  return [message, error.snippet, frames, cause].filter((part) => part).join('\n\n');
};

/** A stack begins with the message, which was told. */
const framesOf = (stack: string | undefined, message: string): string | null => {
  if (!stack) return null;
  const rest = stack.startsWith(message) ? stack.slice(message.length) : stack;
  const frames = rest.split('\n').filter((line) => /^\s*at /.test(line));
  return frames.length === 0 ? null : frames.join('\n');
};

/** What an attempt wrote, with what was left out said; null when it wrote nothing. */
export const outputText = (chunks: readonly (string | Buffer)[]): string | null => {
  if (chunks.length === 0) return null;
  const text = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : chunk.toString('utf8'))).join('');
  const over = text.length - OUTPUT_BEGINNING - OUTPUT_END;
  if (over <= 0) return text === '' ? null : text;
  return `${text.slice(0, OUTPUT_BEGINNING)}\n[${over} characters left out]\n${text.slice(-OUTPUT_END)}`;
};
