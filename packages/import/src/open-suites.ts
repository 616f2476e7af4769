import type { SubmittedCase } from '@assay/contract';
import { isFailure } from './build-case.ts';
import type { Attributes } from './xml.ts';

/** The suites of a document that are open, the innermost one last. */
export interface OpenSuites {
  open(attributes: Attributes): void;
  close(): void;
  attributes(): readonly Attributes[];
  /** Where the cases of the innermost suite begin. */
  firstCase(): number;
  /** The same, or null when one of them failed: it tells why the suite did. */
  firstWithoutFailure(): number | null;
}

export const trackSuites = (cases: readonly SubmittedCase[]): OpenSuites => {
  const suites: { readonly attributes: Attributes; readonly firstCase: number }[] = [];
  const firstCase = (): number => suites.at(-1)?.firstCase ?? cases.length;
  return {
    firstCase,
    open: (attributes) => void suites.push({ attributes, firstCase: cases.length }),
    close: () => void suites.pop(),
    attributes: () => suites.map(({ attributes }) => attributes),
    firstWithoutFailure() {
      for (let at = firstCase(); at < cases.length; at++) if (isFailure(cases[at]!.status)) return null;
      return firstCase();
    },
  };
};
