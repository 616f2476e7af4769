import type { RunComparison } from '@assay/contract';
import { useSearchParams } from 'wouter';
import { paths } from '../../paths.ts';
import { Neighbours } from '../../ui/neighbours.tsx';

/** To the run before and after, with the same filter and view. */
export const RunNeighbours = ({ comparison }: { readonly comparison: RunComparison | undefined }) => {
  const [search] = useSearchParams();
  const pathOf = (run: { readonly id: number } | null | undefined): string | null =>
    run ? paths.run(run.id, Object.fromEntries(search)) : null;
  return (
    <Neighbours
      what="run"
      before={pathOf(comparison?.previousRun)}
      after={pathOf(comparison?.nextRun)}
      keys={['[', ']']}
    />
  );
};
