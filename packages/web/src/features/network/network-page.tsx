import type { RunDetails } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { formatDuration } from '../../format/duration.ts';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { repositoryOf } from '../revision/repository.ts';
import { Revision } from '../revision/revision.tsx';
import { StatusBadge } from '../status/status-mark.tsx';
import { NoRequests } from './no-requests.tsx';
import { RouteList } from './route-list.tsx';

/** The requests of one run by method and route. */
export const NetworkPage = ({ id }: { readonly id: number }) => {
  // One case is enough for the head of the page; all of them are asked for when a route is opened.
  const { data: run } = useQuery(ask('getRun', { params: { id }, query: { details: false, limit: 1 } }));
  const query = useQuery(ask('listRunRequests', { params: { id } }));
  return (
    <Page
      title={`Requests of run #${id}`}
      heading={<span data-project={run?.project.id}>Requests of run #{id}</span>}
      crumbs={[
        ...(run ? [{ label: run.project.label ?? run.project.name, to: paths.project(run.project.id) }] : []),
        { label: `Run #${id}`, to: paths.run(id) },
      ]}
      about={run && <RunFacts run={run} />}
      actions={
        <Link to={paths.run(id)} className={buttonClass({})}>
          <Icon name="arrowLeft" size={14} />
          Back to run
        </Link>
      }
    >
      <Loaded query={query} rows={10}>
        {(groups) => (groups.length === 0 ? <NoRequests /> : <RouteList runId={id} groups={groups} />)}
      </Loaded>
    </Page>
  );
};

const RunFacts = ({ run }: { readonly run: RunDetails }) => (
  <>
    <StatusBadge status={run.status} />
    <span>{formatDuration(run.duration)}</span>
    <Time value={run.startTime} />
    <Revision
      branch={run.branch}
      commit={run.commit}
      repository={repositoryOf(run.project.repositoryUrl, run.metadata)}
    />
  </>
);
