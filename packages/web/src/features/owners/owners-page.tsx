import type { OwnerFigures, ProjectOwners } from '@assay/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask } from '../../api/client.ts';
import { countOf, formatCount, formatShare } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { ProjectFrame } from '../project/project-frame.tsx';
import { type ChosenWindow, useWindow } from '../window/window.ts';
import { filterByOwner } from './filter-by-owner.ts';
import styles from './owners-page.module.css';

/** Who has which tests, and how those do: who should look at what. */
export const OwnersPage = ({ id }: { readonly id: number }) => {
  const chosen = useWindow(id);
  const query = useQuery({
    ...ask('listOwners', { params: { id }, query: { ...chosen.query } }),
    enabled: chosen.query !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <ProjectFrame projectId={id} title="Owners" window={chosen} hideWindow={query.data?.known === false}>
      <Loaded query={query} rows={8}>
        {(found) => <Owners projectId={id} found={found} window={chosen} />}
      </Loaded>
    </ProjectFrame>
  );
};

interface Props {
  readonly projectId: number;
  readonly found: ProjectOwners;
  readonly window: ChosenWindow;
}

const Owners = ({ projectId, found: { known, owners }, window }: Props) => {
  const columns = useMemo(() => columnsOf(projectId, window.carried), [projectId, window.carried]);
  if (!known) {
    return (
      <Panel>
        <Empty title="Who owns which tests is not known">
          <p>
            The reporters send the CODEOWNERS file of the repository with a run: put one into the root,{' '}
            <code>.github</code>, <code>.gitlab</code> or <code>docs</code>. How to send it without a reporter is in the{' '}
            <Link to={paths.docs()}>API documentation</Link>.
          </p>
        </Empty>
      </Panel>
    );
  }
  if (owners.length === 0) {
    return (
      <Panel>
        <Empty title="No tests">
          <p>No test ran: {window.words}.</p>
        </Empty>
      </Panel>
    );
  }
  const people = owners.filter(({ owner }) => owner !== null).length;
  return (
    <Panel
      title="Owners"
      note={`${countOf(people, 'owner')}; a test of several counts for each`}
      actions={<CsvButton name="owners" rows={() => owners} />}
    >
      <Table label="Owners" columns={columns} rows={owners} keyOf={({ owner }) => owner ?? ''} stacked />
    </Panel>
  );
};

const columnsOf = (projectId: number, carried: ChosenWindow['carried']): readonly Column<OwnerFigures>[] => {
  const testsOf = (owner: string | null, more = ''): string =>
    paths.tests(projectId, { ...carried, filter: `${filterByOwner(owner)}${more}` });
  return [
    {
      title: 'Owner',
      wide: true,
      cell: ({ owner }) => (
        <Link to={testsOf(owner)} className={styles['owner']}>
          {owner ?? 'Nobody'}
        </Link>
      ),
    },
    { title: 'Tests', number: true, cell: ({ tests }) => formatCount(tests) },
    {
      title: 'Failing',
      number: true,
      cell: ({ owner, failing }) =>
        failing === 0 ? (
          <span className={styles['none']}>0</span>
        ) : (
          <Link to={testsOf(owner, ' status:failed,timedOut,interrupted')} className={styles['failing']}>
            {formatCount(failing)}
          </Link>
        ),
    },
    {
      title: 'Flaky',
      number: true,
      cell: ({ owner, flaky }) =>
        flaky === 0 ? (
          <span className={styles['none']}>0</span>
        ) : (
          <Link to={testsOf(owner, ' flakyrate:>0')}>{formatCount(flaky)}</Link>
        ),
    },
    {
      title: 'Pass rate',
      number: true,
      cell: ({ passedRuns, failedRuns }) => {
        const ran = passedRuns + failedRuns;
        return formatShare(ran > 0 ? passedRuns / ran : null);
      },
    },
    {
      title: 'Last failure',
      cell: ({ lastFailure }) =>
        lastFailure === null ? <span className={styles['none']}>–</span> : <Time value={lastFailure} />,
    },
  ];
};
