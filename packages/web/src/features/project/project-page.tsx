import type { ProjectDetails, WindowQuery } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useAddressChoice } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { useRights } from '../../api/session.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { WaitingNews } from '../../ui/waiting-news.tsx';
import { AttentionPanel } from '../attention/attention-panel.tsx';
import { FlakeCostLine } from '../flaky-tests/flake-cost.tsx';
import { ImportAction } from '../import/import-action.tsx';
import { FirstRun } from '../projects/first-run.tsx';
import { PinnedViews } from '../views/pinned-views.tsx';
import { ALL_BRANCHES, type ChosenWindow, useWindow } from '../window/window.ts';
import { DeleteProject } from './delete-project.tsx';
import { EditProject } from './edit-project.tsx';
import { ProjectFrame } from './project-frame.tsx';
import { projectQuery } from './project-query.ts';
import { type OlderRuns, useHeldRuns, useProjectRuns } from './project-runs.ts';
import { STATUS_FILTERS } from './run-filter.ts';
import { RunList } from './run-list.tsx';
import { RunStrip } from './run-strip.tsx';
import type { Run } from './runs.ts';
import { SincePanel } from './since-panel.tsx';
import { Trends } from './trends.tsx';
import { usualDurations } from './usual-duration.ts';
import styles from './project-page.module.css';

export const ProjectPage = ({ id }: { readonly id: number }) => {
  const query = useQuery(projectQuery(id));
  const chosen = useWindow(id);
  const { administrator, submitter } = useRights();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  return (
    <ProjectFrame
      projectId={id}
      title="Runs"
      window={chosen}
      actions={
        query.data && (
          <>
            {submitter && query.data.totalRuns > 0 && <ImportAction projectName={query.data.name} />}
            {administrator && <Button onClick={() => setDialog('edit')}>Edit</Button>}
          </>
        )
      }
    >
      <Loaded query={query} rows={12}>
        {(project) =>
          project.totalRuns === 0 ? (
            <FirstRun projectName={project.name} />
          ) : (
            <>
              <AttentionPanel projectId={id} />
              <FlakeCostLine projectId={id} chosen={chosen} />
              <PinnedViews projectId={id} />
              <RunsOfWindow key={JSON.stringify(chosen.query)} project={project} chosen={chosen} />
            </>
          )
        }
      </Loaded>
      {dialog === 'edit' && query.data && (
        <EditProject project={query.data} onClose={() => setDialog(null)} onDelete={() => setDialog('delete')} />
      )}
      {dialog === 'delete' && query.data && <DeleteProject project={query.data} onClose={() => setDialog(null)} />}
    </ProjectFrame>
  );
};

interface WindowProps {
  readonly project: ProjectDetails;
  readonly chosen: ChosenWindow;
}

/** The list goes on to older runs where the window is the latest so many. */
const RunsOfWindow = ({ project: { id }, chosen }: WindowProps) => {
  const { runs: count, ...days } = chosen.query ?? {};
  const { query, runs, older } = useProjectRuns(id, days);
  const { data: found } = useQuery(ask('getWindow', { params: { id }, query: days }));
  const [, navigate] = useLocation();
  return (
    <Loaded query={query} rows={12}>
      {() =>
        runs.length === 0 ? (
          <Panel>
            <Empty title={`No runs: ${chosen.words}`}>
              <Button onClick={() => chosen.setBranch(ALL_BRANCHES)}>Show all branches</Button>
            </Empty>
          </Panel>
        ) : (
          <Runs
            projectId={id}
            window={days}
            runs={runs}
            count={count ?? Infinity}
            total={found?.allRuns ?? runs.length}
            older={older}
            onClear={() => navigate(paths.project(id, chosen.carried))}
          />
        )
      }
    </Loaded>
  );
};

interface RunsProps {
  readonly projectId: number;
  readonly window: WindowQuery;
  readonly runs: readonly Run[];
  /** How many of them strip and trends are of. */
  readonly count: number;
  readonly total: number;
  readonly older: OlderRuns;
  readonly onClear: () => void;
}

const Runs = ({ projectId, window, runs, count, total, older, onClear }: RunsProps) => {
  const { region, shown, waiting, show } = useHeldRuns(runs);
  const [status, setStatus] = useAddressChoice('status', STATUS_FILTERS, 'all');
  const usual = useMemo(() => usualDurations(shown), [shown]);
  const inWindow = useMemo(() => shown.slice(0, count), [shown, count]);
  const latest = shown[0];
  const several = shown.length > 1;
  return (
    <div ref={region} className={several ? styles['columns'] : styles['column']}>
      <WaitingNews words={waiting > 0 ? countOf(waiting, 'new run') : null} onShow={show} />
      {several && (
        <div className={styles['strip']}>
          <RunStrip runs={inWindow} />
        </div>
      )}
      {latest && (
        <div className={styles['since']}>
          <SincePanel runId={latest.id} />
        </div>
      )}
      {several && (
        <div className={styles['trends']}>
          <Trends runs={inWindow} />
        </div>
      )}
      <div className={styles['list']}>
        <RunList
          projectId={projectId}
          window={window}
          runs={shown}
          usual={usual}
          known={shown.length}
          total={total - waiting}
          older={older}
          status={status}
          setStatus={setStatus}
          onClear={onClear}
        />
      </div>
    </div>
  );
};
