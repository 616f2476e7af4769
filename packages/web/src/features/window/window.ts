import type { WindowQuery } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useAddressPart } from '../../address.ts';
import { useNow } from '../../ui/clock.ts';
import { projectQuery } from '../project/project-query.ts';
import { ALL_TIME, CHOICES, DEFAULT_CHOICE, type Span, readSpan } from './span.ts';

/** In the address; no branch of git can be called so. */
export const ALL_BRANCHES = '*';

export interface ChosenWindow {
  /** Null for all branches. */
  readonly branch: string | null;
  readonly defaultBranch: string | null;
  readonly span: Span;
  /** For the reads that take it; undefined until the default branch is known. */
  readonly query: (WindowQuery & { readonly runs?: number }) | undefined;
  /** `main, last 30 days` */
  readonly words: string;
  /** What links to other pages of the project carry on. */
  readonly carried: Readonly<Record<string, string | undefined>>;
  readonly choices: readonly string[];
  readonly setBranch: (branch: string) => void;
  readonly setSpan: (text: string) => void;
}

/** The branch and the days that the address names: the default branch and the latest 100 runs unless it says more. */
export const useWindow = (projectId: number, fallback: string = DEFAULT_CHOICE): ChosenWindow => {
  const { data: project } = useQuery(projectQuery(projectId));
  const [search] = useSearchParams();
  const [named, setNamed] = useAddressPart('branch', '');
  const [text, setText] = useAddressPart('days', fallback);
  const defaultBranch = project?.defaultBranch ?? null;
  const known = project !== undefined || named !== '';
  const today = useNow().toDateString();
  return useMemo(() => {
    const branch = named === ALL_BRANCHES ? null : named || defaultBranch;
    const span = readSpan(text, new Date(today), fallback);
    return {
      branch,
      defaultBranch,
      span,
      query: known ? { ...(branch === null ? {} : { branch }), ...span.query } : undefined,
      words: `${branch ?? 'all branches'}, ${span.words}`,
      carried: { branch: search.get('branch') ?? undefined, days: search.get('days') ?? undefined },
      choices: fallback === ALL_TIME ? [ALL_TIME, ...CHOICES] : CHOICES,
      setBranch: (value) => setNamed(value === defaultBranch ? '' : value),
      setSpan: setText,
    };
  }, [named, text, fallback, defaultBranch, known, today, search, setNamed, setText]);
};

/** What links to a test carry on: the branch, while the pages of a test begin with all time. */
export const useCarriedBranch = (): { readonly branch?: string } => {
  const branch = useSearchParams()[0].get('branch');
  return branch === null ? {} : { branch };
};
