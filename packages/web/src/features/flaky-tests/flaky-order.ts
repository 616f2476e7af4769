import type { Endpoints, Reply } from '@assay/contract';

export type FlakyTest = Reply<Endpoints['listFlakyTests']>[number];

export const ORDERS = ['often', 'recent', 'new', 'title'] as const;
export type Order = (typeof ORDERS)[number];

/** The service sends those first that make most runs red. */
export const inOrder = (tests: readonly FlakyTest[], order: Order): readonly FlakyTest[] => {
  switch (order) {
    case 'often':
      return tests;
    case 'recent':
      return tests.toSorted((a, b) => startOf(b.lastFlaky) - startOf(a.lastFlaky));
    case 'new':
      return tests.toSorted((a, b) => startOf(b.firstFlaky) - startOf(a.firstFlaky));
    case 'title':
      return tests.toSorted((a, b) => a.title.localeCompare(b.title));
  }
};

const startOf = ({ startTime }: { readonly startTime: string }): number => Date.parse(startTime);
