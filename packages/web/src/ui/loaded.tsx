import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';

interface Props<T> {
  readonly query: UseQueryResult<T>;
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/** What was asked for once it is there; until then a place for it, or why it does not come. */
export const Loaded = <T,>({ query, rows, children }: Props<T>) => {
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return <Skeleton {...(rows === undefined ? {} : { rows })} />;
  const { title, advice } = problemOf(query.error);
  return (
    <Notice tone="bad" title={title} action={<Button onClick={() => void query.refetch()}>Try again</Button>}>
      {advice}
    </Notice>
  );
};
