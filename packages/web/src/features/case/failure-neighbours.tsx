import type { TestCaseDetails } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { ask } from '../../api/client.ts';
import { formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Neighbours } from '../../ui/neighbours.tsx';

/** To the failure of this run before and after this one, with the same section open; from a passed result to the first. */
export const FailureNeighbours = ({ result: { id, testRun } }: { readonly result: TestCaseDetails }) => {
  const [search] = useSearchParams();
  const { data } = useQuery(ask('compareRun', { params: { id: testRun.id } }));
  const failures = data?.failures ?? [];
  const at = failures.findIndex(({ testCaseId }) => testCaseId === id);
  if (failures.length === 0 || (at === 0 && failures.length === 1)) return null;
  const pathOf = (failure: { readonly testCaseId: number } | undefined): string | null => {
    const tab = search.get('tab') ?? undefined;
    return failure ? paths.testCase(failure.testCaseId, { tab }) : null;
  };
  const place = at < 0 ? undefined : `Failure ${formatCount(at + 1)} of ${formatCount(failures.length)}`;
  return (
    <Neighbours
      what="failure"
      before={pathOf(failures[at - 1])}
      after={pathOf(failures[at + 1])}
      keys={['p', 'n']}
      {...(place ? { place } : {})}
    />
  );
};
