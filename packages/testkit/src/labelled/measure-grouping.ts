import type { LabelledError } from './label-errors.ts';

export interface Grouping {
  readonly errors: number;
  readonly causes: number;
  /** Share of errors whose group is exactly the errors of their cause: the grouping accuracy of log parsers. */
  readonly accuracy: number;
  /** Of the pairs of errors with one fingerprint, those of one cause. */
  readonly precision: number;
  /** Of the pairs of errors of one cause, those with one fingerprint. */
  readonly recall: number;
  readonly f1: number;
  /** The causes that share a fingerprint. */
  readonly wrongJoins: readonly (readonly string[])[];
  /** The fingerprints of causes that have several. */
  readonly splits: readonly (readonly string[])[];
}

interface Found {
  readonly label: string;
  readonly print: string;
}

export const measureGrouping = (errors: readonly LabelledError[], fingerprint: (text: string) => string): Grouping => {
  const found = errors.map(({ label, text }): Found => ({ label, print: fingerprint(text) }));
  const byLabel = Map.groupBy(found, ({ label }) => label);
  const byPrint = Map.groupBy(found, ({ print }) => print);
  const shared = pairsIn(Map.groupBy(found, ({ label, print }) => `${label}\n${print}`));
  const right = found.filter(
    ({ label, print }) =>
      byLabel.get(label)!.every((other) => other.print === print) &&
      byPrint.get(print)!.every((other) => other.label === label),
  );
  const precision = shared / pairsIn(byPrint);
  const recall = shared / pairsIn(byLabel);
  return {
    errors: errors.length,
    causes: byLabel.size,
    accuracy: right.length / found.length,
    precision,
    recall,
    f1: (2 * precision * recall) / (precision + recall),
    wrongJoins: several([...byPrint.values()].map((group) => group.map(({ label }) => label))),
    splits: several([...byLabel.values()].map((group) => group.map(({ print }) => print))),
  };
};

const pairsIn = (groups: ReadonlyMap<string, readonly Found[]>): number =>
  groups.values().reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);

const several = (groups: readonly (readonly string[])[]): string[][] =>
  groups.map((group) => [...new Set(group)]).filter(({ length }) => length > 1);
