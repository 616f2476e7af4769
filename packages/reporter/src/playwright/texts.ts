import type { TestError } from '@playwright/test/reporter';

const LONGEST_ERROR = 100_000;
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
