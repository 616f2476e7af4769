import { readFileSync, writeFileSync } from 'node:fs';

/** A predicate, and the nanoseconds that it takes for a row by who tests it. */
export interface Measured {
  readonly text: string;
  readonly ns: Readonly<Record<string, number>>;
}

/** The geometric mean of how many times as long it takes as code written by hand. */
export const meanOf = (name: string, measured: readonly Measured[]): number =>
  Math.exp(measured.reduce((sum, { ns }) => sum + Math.log(ns[name]! / ns['native']!), 0) / measured.length);

const README = new URL('../packages/expression/README.md', import.meta.url);
const PEERS = ['json-logic-engine', 'cel-js', 'filtrex', 'jexl'];

/** A text in a cell of a table. */
const codeCell = (text: string): string =>
  (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``).replaceAll('|', String.raw`\|`);

const rowOf = ({ text, ns }: Measured): string => {
  const native = ns['native']!;
  const ours = ['code', 'closures'].map((name) => (ns[name]! / native).toFixed(1));
  const peers = PEERS.map((name) => (ns[name] === undefined ? '–' : (ns[name] / native).toFixed(0)));
  return `| ${[codeCell(text), `${native.toFixed(1)} ns`, ...ours, ...peers].join(' | ')} |`;
};

/** The table of the README over plain rows, and the sentence with the means over others. */
export const writeReadme = (shapes: Readonly<Record<string, readonly Measured[]>>): void => {
  const means = (shape: string): string[] =>
    ['code', 'closures'].map((name) => meanOf(name, shapes[shape]!).toFixed(2));
  const table = [...shapes['plain']!.map(rowOf), `| Geometric mean | | ${means('plain').join(' | ')} | | | | |`];
  const sentence = `Over rows without a prototype the means are ${means('no prototype').join(' and ')}, over mixed ones ${means('mixed').join(' and ')}.`;
  const readme = readFileSync(README, 'utf8');
  const written = readme
    .replace(/(\n\| Predicate \|.*\n\|[-|]+\|\n)(?:\|.*\n)+/, (_, head: string) => `${head}${table.join('\n')}\n`)
    .replace(/Over rows without a prototype the means are [^,]+, over mixed ones \d\S* and \d+\.\d+\./, () => sentence);
  writeFileSync(README, written);
};
