import type { Random } from '../random.ts';
import type { Domain } from '../vocabulary.ts';

export type FailureKind = 'assertion' | 'missing' | 'server' | 'timeout' | 'connection' | 'unstable' | 'interrupted';

/** Failures with the same cause have the same text up to its variable parts. */
export interface Failure {
  readonly kind: FailureKind;
  readonly cause: string;
}

/** Where a failure is seen. */
export interface Site {
  readonly domain: Domain;
  readonly repository: string;
  readonly path: string;
  readonly area: string;
  readonly feature: string;
  readonly title: string;
  readonly line: number;
}

/** `stable` is the same for all failures of one cause, `varying` is not. */
export type WriteError = (stable: Random, varying: Random, site: Site) => string;

const style = (on: number, off: number) => (text: string) => `\u001b[${on}m${text}\u001b[${off}m`;
export const dim = style(2, 22);
export const red = style(31, 39);
export const green = style(32, 39);
export const cyan = style(36, 39);
export const yellow = style(33, 39);
export const grey = style(90, 39);

/** The column of a call in a statement, whatever its colours. */
export const caretAt = (statement: string, method: string): number =>
  // oxlint-disable-next-line no-control-regex
  statement.replace(/\u001b\[\d+m/g, '').indexOf(`.${method}(`) + 1;

/** Source lines around the failing one, the way Babel prints them. `code` marks it with `>`. */
export const codeFrame = (firstLine: number, code: readonly string[], caret: number): string => {
  const width = String(firstLine + code.length).length;
  return code
    .map((text, at) => {
      const failing = text.startsWith('>');
      const source = failing ? text.slice(1) : text;
      const gutter = grey(` ${String(firstLine + at).padStart(width)} |`);
      const row = `${failing ? red('>') : ' '}${gutter} ${source}`;
      return failing ? `${row}\n ${grey(` ${' '.repeat(width)} |`)} ${' '.repeat(caret)}${red('^')}` : row;
    })
    .join('\n');
};
