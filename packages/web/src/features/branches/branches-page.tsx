import type { Branch } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { useNow } from '../../ui/clock.ts';
import { Fold } from '../../ui/fold.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { ProjectFrame } from '../project/project-frame.tsx';
import { CountBar } from '../status/count-bar.tsx';
import { StatusBadge } from '../status/status-mark.tsx';
import { useWindow } from '../window/window.ts';
import { againstDefaultRun, partBranches } from './stale-branches.ts';
import styles from './branches-page.module.css';

/** Every branch with its latest run, and how that stands against the default branch. */
export const BranchesPage = ({ id }: { readonly id: number }) => {
  const chosen = useWindow(id);
  const query = useQuery(ask('listBranches', { params: { id }, query: { compare: true } }));
  return (
    <ProjectFrame projectId={id} title="Branches" window={chosen} hideWindow>
      <Loaded query={query} rows={10}>
        {(branches) => <Branches projectId={id} branches={branches} />}
      </Loaded>
    </ProjectFrame>
  );
};

const Branches = ({ projectId, branches }: { readonly projectId: number; readonly branches: readonly Branch[] }) => {
  const now = useNow();
  const { active, stale } = useMemo(() => partBranches(branches, now), [branches, now]);
  const columns = useMemo(
    () =>
      columnsOf(
        projectId,
        branches.find(({ isDefault }) => isDefault),
      ),
    [projectId, branches],
  );
  if (branches.length === 0) {
    return (
      <Panel>
        <Empty title="No run names a branch">
          <p>Senders name the branch of a run, as the reporters do by themselves in a checkout.</p>
        </Empty>
      </Panel>
    );
  }
  return (
    <>
      <Panel
        title="Branches"
        note={countOf(active.length, 'active branch', 'active branches')}
        actions={<CsvButton name="branches" rows={() => [...active, ...stale]} />}
      >
        <Table label="Branches" columns={columns} rows={active} keyOf={nameOf} stacked />
      </Panel>
      {stale.length > 0 && (
        <Fold title="Without a run for 30 days" note={formatCount(stale.length)} closed>
          <Table label="Branches without a run for 30 days" columns={columns} rows={stale} keyOf={nameOf} stacked />
        </Fold>
      )}
    </>
  );
};

const nameOf = ({ name }: Branch): string => name;

const columnsOf = (projectId: number, main: Branch | undefined): readonly Column<Branch>[] => [
  {
    title: 'Branch',
    wide: true,
    cell: ({ name, isDefault }) => (
      <span className={styles['branch']}>
        <Link to={paths.project(projectId, isDefault ? {} : { branch: name })}>{name}</Link>
        {isDefault && <small>default</small>}
      </span>
    ),
  },
  {
    title: 'Latest run',
    wide: true,
    cell: ({ latestRun }) => (
      <span className={styles['run']}>
        <span>
          <Link to={paths.run(latestRun.id)}>#{latestRun.id}</Link> <StatusBadge status={latestRun.status} />
        </span>
        <CountBar {...latestRun} />
      </span>
    ),
  },
  { title: 'Failed', number: true, cell: ({ latestRun }) => formatCount(latestRun.failedTests) },
  {
    title: main ? `Against ${main.name}` : 'Against the default branch',
    wide: true,
    cell: (branch) => againstDefaultRun(branch, main),
  },
  { title: 'Runs', number: true, cell: ({ totalRuns }) => formatCount(totalRuns) },
  { title: 'Last active', cell: ({ lastActive }) => <Time value={lastActive} /> },
];
