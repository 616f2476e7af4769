import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { lookOfRun, markOf } from '../status/outcome.ts';
import { WindowBar } from '../window/window-bar.tsx';
import type { ChosenWindow } from '../window/window.ts';
import { ArchivedNotice } from './archiving.tsx';
import { projectQuery } from './project-query.ts';

interface Props {
  readonly projectId: number;
  /** What of the project this page shows. */
  readonly title: string;
  readonly window: ChosenWindow;
  /** For a page that is of all branches and times. */
  readonly hideWindow?: boolean;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The heading, the tabs, and the branch and days that the pages of one project share. */
export const ProjectFrame = ({ projectId, title, window, hideWindow = false, actions, children }: Props) => {
  const { data: project } = useQuery(projectQuery(projectId));
  const [location] = useLocation();
  const name = project ? (project.label ?? project.name) : `Project ${projectId}`;
  const stands = project && (project.defaultBranchRun ?? project.latestRun);
  const tabs = [
    { label: 'Runs', to: paths.project(projectId, window.carried) },
    { label: 'Tests', to: paths.tests(projectId, window.carried) },
    { label: 'Causes', to: paths.causes(projectId, window.carried) },
    { label: 'Clusters', to: paths.clusters(projectId, window.carried) },
    { label: 'Slowest', to: paths.slowTests(projectId, window.carried) },
    { label: 'Flaky', to: paths.flakyTests(projectId, window.carried) },
    { label: 'Branches', to: paths.branches(projectId, window.carried) },
    { label: 'Owners', to: paths.owners(projectId, window.carried) },
    { label: 'Query', to: paths.query(projectId) },
  ];
  return (
    <Page
      title={`${title} · ${name}`}
      mark={stands ? markOf(lookOfRun(stands.status)) : 'none'}
      heading={<span data-project={projectId}>{name}</span>}
      crumbs={[{ label: 'Projects', to: paths.projects() }]}
      about={project && <span>{project.description ?? countOf(project.totalRuns, 'run')}</span>}
      actions={actions}
    >
      {project?.archivedAt && <ArchivedNotice id={projectId} archivedAt={project.archivedAt} />}
      <Tabs
        label="Project pages"
        tabs={tabs.map((tab) => ({ ...tab, current: tab.to.split('?', 1)[0] === location }))}
      />
      {!hideWindow && project && project.totalRuns > 0 && <WindowBar projectId={projectId} window={window} />}
      {children}
    </Page>
  );
};
