import { ApiError } from '@assay/contract/request';
import { useQuery } from '@tanstack/react-query';
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
  const isRed = query.data !== undefined && query.data.failedTests > 0 && query.data.status !== 'running';
  const verdicts = useQuery({ ...ask('judgeFailures', { params: { id } }), enabled: isRed });
  if (query.data) {
    return (
      <RunHeader run={query.data} comparison={comparison.data}>
        <FilesRemoved at={query.data.filesRemovedAt} />
        <Explanation run={query.data} />
        <RunClusters run={query.data} />
        <RunResults
          key={id}
          run={query.data}
          comparison={comparison.data}
          verdicts={isRed ? verdicts.data : undefined}
        />
      </RunHeader>
    );
  }
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
