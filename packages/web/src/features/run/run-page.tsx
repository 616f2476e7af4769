import type { RunComparison, RunDetails } from '@assay/contract';
import { ApiError } from '@assay/contract/request';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { RunClusters } from '../clusters/run-clusters.tsx';
import { Explanation } from '../explanation/explanation.tsx';
import { FilesRemoved } from '../retention/files-removed.tsx';
import { RunHeader } from './run-header.tsx';
import { RunResults } from './run-results.tsx';

/** A stored run hardly changes, and news of it are told; ten thousand results are not asked for again on every visit. */
const FRESH_MS = 5 * 60_000;

export const RunPage = ({ id }: { readonly id: number }) => {
  const query = useQuery({ ...ask('getRun', { params: { id }, query: { details: false } }), staleTime: FRESH_MS });
  const comparison = useQuery(ask('compareRun', { params: { id } }));
  if (query.data) return <RunContent key={id} run={query.data} comparison={comparison.data} />;
  const gone = query.error instanceof ApiError && query.error.status === 404;
  return (
    <Page title={`Run #${id}`} crumbs={[{ label: 'Projects', to: paths.projects() }]}>
      {gone ? (
        <Empty title={`There is no run #${id}`}>
          <p>
            It may have been deleted, manually, by retention or by a cleanup of old runs, or the address is mistyped.
          </p>
          <Link to={paths.projects()} className={buttonClass({})}>
            All projects
          </Link>
        </Empty>
      ) : (
        <Loaded query={query} rows={12}>
          {() => null}
        </Loaded>
      )}
    </Page>
  );
};

/** What stands above the results would move them when it comes, and a click would miss; it is waited for so long. */
const MOST_WAIT_MS = 300;

interface Props {
  readonly run: RunDetails;
  readonly comparison: RunComparison | undefined;
}

const RunContent = ({ run, comparison }: Props) => {
  const hasFailures = run.failedTests > 0;
  const isRed = hasFailures && run.status !== 'running';
  const params = { id: run.id };
  const verdicts = useQuery({ ...ask('judgeFailures', { params }), enabled: isRed });
  const explanation = useQuery({ ...ask('explainRun', { params }), enabled: isRed });
  const clusters = useQuery({ ...ask('listRunClusters', { params }), enabled: hasFailures });
  const hasWaited = useDelay(MOST_WAIT_MS);
  const isComplete = !explanation.isLoading && !clusters.isLoading;
  return (
    <RunHeader run={run} comparison={comparison}>
      <FilesRemoved at={run.filesRemovedAt} />
      {isRed && explanation.data && <Explanation run={run} explanation={explanation.data} />}
      {hasFailures && clusters.data && <RunClusters {...clusters.data} />}
      {(isComplete || hasWaited) && (
        <RunResults run={run} comparison={comparison} verdicts={isRed ? verdicts.data : undefined} />
      )}
    </RunHeader>
  );
};

const useDelay = (ms: number): boolean => {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
};
