import type { Project } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAddressChoice, useAddressPart } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { countOf } from '../../format/number.ts';
import { Choice } from '../../ui/choice.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pick } from '../../ui/pick.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import {
  PROJECT_FILTERS,
  PROJECT_SORTS,
  type ProjectFilter,
  type ProjectSort,
  arrangeProjects,
} from './arrange-projects.ts';
import { FirstRun } from './first-run.tsx';
import { ProjectRow } from './project-row.tsx';
import styles from './projects-page.module.css';

const RECENT_RUNS = 30;

const projectsQuery = ask('listProjects', { query: { recent: RECENT_RUNS } });

const SORT_NAMES: Record<ProjectSort, string> = {
  status: 'Failing first',
  activity: 'Latest activity',
  name: 'Name',
  rate: 'Lowest pass rate',
};
const FILTER_NAMES: Record<ProjectFilter, string> = { all: 'All', failing: 'Failing' };

export const ProjectsPage = () => {
  const query = useQuery(projectsQuery);
  const [search, setSearch] = useAddressPart('q', '');
  return (
    <Page
      title="Projects"
      actions={
        (query.data?.length ?? 0) > 1 && (
          <SearchField label="Search projects" value={search} onChange={(text) => setSearch(text, { replace: true })} />
        )
      }
    >
      <Loaded query={query}>
        {(projects) => (projects.length === 0 ? <FirstRun /> : <ProjectList projects={projects} search={search} />)}
      </Loaded>
    </Page>
  );
};

const ProjectList = ({ projects, search }: { readonly projects: readonly Project[]; readonly search: string }) => {
  const [filter, setFilter] = useAddressChoice('show', PROJECT_FILTERS, 'all');
  const [sort, setSort] = useAddressChoice('sort', PROJECT_SORTS, 'status');
  const shown = useMemo(() => arrangeProjects(projects, { search, filter, sort }), [projects, search, filter, sort]);
  const all = countOf(projects.length, 'project');
  return (
    <Panel
      title="Projects"
      note={shown.length === projects.length ? all : `${shown.length} of ${all}`}
      actions={
        projects.length > 1 && (
          <div className={styles['tools']}>
            <Choice
              label="Which projects"
              value={filter}
              options={PROJECT_FILTERS.map((value) => ({ value, label: FILTER_NAMES[value] }))}
              onChange={setFilter}
            />
            <Pick
              label="Sort"
              value={sort}
              options={PROJECT_SORTS.map((value) => ({ value, label: SORT_NAMES[value] }))}
              onChange={setSort}
            />
          </div>
        )
      }
    >
      {shown.length === 0 ? (
        <Empty title={filter === 'failing' ? 'No matching project is failing' : 'No matching projects'} />
      ) : (
        <>
          <div className={classNames(styles['row'], styles['heads'])} aria-hidden="true">
            <span>Project</span>
            <span>Default branch</span>
            <span>Pass rate</span>
            <span>Duration</span>
            <span className={styles['end']}>Flaky</span>
            <span className={styles['end']}>Activity</span>
          </div>
          <ul className={styles['list']} data-rows>
            {shown.map((project) => (
              <li key={project.id}>
                <ProjectRow project={project} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
};
