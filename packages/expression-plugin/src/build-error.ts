/** What is wrong with a lambda, where people wrote it. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
  readonly id: string;
  /** The line counts from 1, the column from 0, as bundlers want it. */
  readonly loc: { readonly file: string; readonly line: number; readonly column: number };
  readonly frame: string;

  constructor(message: string, file: string, code: string, offset: number) {
    const before = code.slice(0, offset).split('\n');
    const line = before.length;
    const column = before.at(-1)!.length;
    const frame = `${line} | ${code.split('\n')[line - 1]!}\n${' '.repeat(`${line} | `.length + column)}^`;
    super(`${file}:${line}:${column + 1}: ${message}\n${frame}`);
    this.id = file;
    this.loc = { file, line, column };
    this.frame = frame;
  }
}
