import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A document, by its path from the package. */
export const readDocument = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

export interface CodeBlock {
  readonly language: 'js' | 'ts';
  readonly code: string;
  /** The heading that it stands below. */
  readonly heading: string;
  /** What it says that it prints: the comments behind `console.log(…)` or on lines of their own after it. */
  readonly prints: readonly string[];
}

/** The blocks of a document that can be run. */
export const codeBlocks = (markdown: string): CodeBlock[] =>
  [...markdown.matchAll(/^```(js|ts)\n(.*?)^```$/gms)].map((match) => ({
    language: match[1] as 'js' | 'ts',
    code: match[2]!,
    heading: [...markdown.slice(0, match.index).matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '',
    prints: match[2]!.split('\n').flatMap((line) => {
      const comment = /^(?:.*console\.log\(.*\); )?\/\/ (.*)$/.exec(line);
      return comment ? [comment[1]!] : [];
    }),
  }));

/** The cells of the rows of the table below a heading. */
export const tableBelow = (markdown: string, heading: string): string[][] => {
  const from = markdown.split(`\n${heading}\n`)[1];
  if (from === undefined) throw new Error(`No heading ${heading}`);
  const table = /(?:^\|.*\n)+/m.exec(from.split(/\n#+ /)[0]!)?.[0] ?? '';
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|')),
  );
};
