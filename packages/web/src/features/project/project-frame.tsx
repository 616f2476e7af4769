import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../../api/client.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';

interface Props {
  readonly projectId: number;
  /** What of the project this page shows. */
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export const RUNS_ON_FIRST_PAGE = 200;

export const projectQuery = (id: number) => ask('getProject', { params: { id }, query: { limit: RUNS_ON_FIRST_PAGE } });

/** The heading and the tabs that the pages of one project share. */
export const ProjectFrame = ({ projectId, title, actions, children }: Props) => {
  const { data: project } = useQuery(projectQuery(projectId));
  const [location] = useLocation();
  const name = project ? (project.label ?? project.name) : `Project ${projectId}`;
  const tabs = [
    { label: 'Runs', to: paths.project(projectId), count: project?.totalRuns },
    { label: 'Tests', to: paths.tests(projectId), count: project?.totalTestCases },
    { label: 'Slowest', to: paths.slowTests(projectId) },
    { label: 'Flaky', to: paths.flakyTests(projectId) },
  ];
  return (
    <Page
      title={`${title} · ${name}`}
      heading={<span data-project={projectId}>{name}</span>}
      crumbs={[{ label: 'Projects', to: paths.projects() }]}
      about={project && <span>{project.description ?? countOf(project.totalRuns, 'run')}</span>}
      actions={actions}
    >
      <Tabs label="Project pages" tabs={tabs.map((tab) => ({ ...tab, current: tab.to === location }))} />
      {children}
    </Page>
  );
};
