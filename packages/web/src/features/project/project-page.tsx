import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useAddressChoice, useAddressPart } from '../../address.ts';
import { useRights } from '../../api/session.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { InlineSelect } from '../../ui/inline-select.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { WaitingNews } from '../../ui/waiting-news.tsx';
import { ImportAction } from '../import/import-action.tsx';
import { FirstRun } from '../projects/first-run.tsx';
import { EditProject } from './edit-project.tsx';
import { ProjectFrame } from './project-frame.tsx';
import { type OlderRuns, useHeldRuns, useProjectRuns } from './project-runs.ts';
import { ALL_BRANCHES, STATUS_FILTERS, branchOptions, ofBranch } from './run-filter.ts';
import { RunList } from './run-list.tsx';
import { RunStrip } from './run-strip.tsx';
import type { Run } from './runs.ts';
import { SincePanel } from './since-panel.tsx';
import { Trends } from './trends.tsx';
import { usualDurations } from './usual-duration.ts';
import styles from './project-page.module.css';

export const ProjectPage = ({ id }: { readonly id: number }) => {
  const { query, runs, older } = useProjectRuns(id);
  const { administrator, submitter } = useRights();
  const [, navigate] = useLocation();
  const [editing, setEditing] = useState(false);
  const [branch, setBranch] = useAddressPart('branch', ALL_BRANCHES);
  const branches = useMemo(() => branchOptions(runs, branch), [runs, branch]);
  return (
    <ProjectFrame
      projectId={id}
      title="Runs"
      actions={
        query.data && (
          <>
            {branches.length > 1 && (
              <InlineSelect
                label="Branch"
                value={branch}
                options={[{ value: ALL_BRANCHES, label: 'All branches' }, ...branches]}
                onChange={setBranch}
              />
            )}
            {submitter && query.data.totalRuns > 0 && <ImportAction projectName={query.data.name} />}
            {administrator && <Button onClick={() => setEditing(true)}>Edit</Button>}
          </>
        )
      }
    >
      <Loaded query={query} rows={12}>
        {(project) =>
          project.totalRuns === 0 ? (
            <FirstRun projectName={project.name} />
          ) : (
            <Runs
              runs={runs}
              total={project.totalRuns}
              older={older}
              branch={branch}
              onClear={() => navigate(paths.project(id))}
            />
          )
        }
      </Loaded>
      {editing && query.data && <EditProject project={query.data} onClose={() => setEditing(false)} />}
    </ProjectFrame>
  );
};

interface RunsProps {
  readonly runs: readonly Run[];
  readonly total: number;
  readonly older: OlderRuns;
  readonly branch: string;
  readonly onClear: () => void;
}

const Runs = ({ runs, total, older, branch, onClear }: RunsProps) => {
  const { region, shown, waiting, show } = useHeldRuns(runs);
  const [status, setStatus] = useAddressChoice('status', STATUS_FILTERS, 'all');
  const usual = useMemo(() => usualDurations(shown), [shown]);
  const ofThisBranch = useMemo(() => ofBranch(shown, branch), [shown, branch]);
  const latest = ofThisBranch[0];
  const several = ofThisBranch.length > 1;
  return (
    <div ref={region} className={several ? styles['columns'] : styles['column']}>
      <WaitingNews words={waiting > 0 ? countOf(waiting, 'new run') : null} onShow={show} />
      {several && (
        <div className={styles['strip']}>
          <RunStrip runs={ofThisBranch} />
        </div>
      )}
      {latest && (
        <div className={styles['since']}>
          <SincePanel runId={latest.id} />
        </div>
      )}
      {several && (
        <div className={styles['trends']}>
          <Trends runs={ofThisBranch} />
        </div>
      )}
      <div className={styles['list']}>
        <RunList
          runs={ofThisBranch}
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
