import type { TestCase } from '@assay/contract';
import { countOf, formatCount } from '../../format/number.ts';
import { gradle, go, maven, pytest } from './by-identity.ts';
import { jest, playwright, vitest } from './by-name.ts';
import { hasControls } from './shell.ts';
import type { Tool } from './tools.ts';

export type Rerunnable = Pick<TestCase, 'title' | 'filePath' | 'line' | 'browser'>;

/** How a tool is told which tests to run. */
export interface Writer {
  /** Commands that run these tests and no other of the run. */
  exact(selected: readonly Rerunnable[], all: readonly Rerunnable[]): string[];
  /** Commands that run the files, packages or classes of these tests. */
  wide(selected: readonly Rerunnable[]): string[];
  /** Which tests run although they are not selected, or what else the commands take. */
  also?(selected: readonly Rerunnable[], all: readonly Rerunnable[]): string | null;
  readonly unit: 'file' | 'package' | 'class';
  /** Titles are not patterns: nothing can stand for a character that no command should have. */
  readonly takesExactNames?: boolean;
}

const WRITERS: Readonly<Record<Tool, Writer>> = { playwright, vitest, jest, pytest, go, maven, gradle };

/** Longer ones are awkward to paste, and Windows takes no more. */
export const MAX_COMMAND_LENGTH = 8_000;

export interface Rerun {
  /** One line each. */
  readonly commands: readonly string[];
  /** What a person should know of them. */
  readonly notes: readonly string[];
}

/** The commands that run some tests of a run again; `all` are its tests, as far as they are known. */
export const rerun = (tool: Tool, selected: readonly Rerunnable[], all: readonly Rerunnable[] = selected): Rerun => {
  const writer = WRITERS[tool];
  const named = selected.filter(
    ({ title, filePath, browser }) =>
      !hasControls(filePath) && !hasControls(browser ?? '') && !(writer.takesExactNames && hasControls(title)),
  );
  const left = selected.length - named.length;
  const notes = left > 0 ? [`Left out: ${countOf(left, 'test')} with control characters in the name`] : [];
  if (named.length === 0) return { commands: [], notes };
  const exact = writer.exact(named, all);
  if (lengthOf(exact) <= MAX_COMMAND_LENGTH) {
    const also = writer.also?.(named, all);
    return { commands: exact, notes: also ? [...notes, also] : notes };
  }
  return cutWide(writer, named, notes);
};

const lengthOf = (commands: readonly string[]): number => commands.join('\n').length;

const cutWide = (writer: Writer, named: readonly Rerunnable[], notes: readonly string[]): Rerun => {
  const { unit } = writer;
  const plural = unit === 'class' ? 'classes' : `${unit}s`;
  const all = [...new Set(named.map(({ filePath }) => filePath))];
  const firstOf = (count: number): string[] => {
    const files = new Set(all.slice(0, count));
    return writer.wide(named.filter(({ filePath }) => files.has(filePath)));
  };
  let fits = 0;
  let tooMany = all.length + 1;
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (lengthOf(firstOf(middle)) <= MAX_COMMAND_LENGTH) fits = middle;
    else tooMany = middle;
  }
  const wide = `The names of ${countOf(named.length, 'test')} do not fit into a command: it runs their ${plural} whole`;
  const cut = `Only the first ${formatCount(fits)} of ${countOf(all.length, unit, plural)} fit`;
  return { commands: fits === 0 ? [] : firstOf(fits), notes: [...notes, wide, ...(fits < all.length ? [cut] : [])] };
};
