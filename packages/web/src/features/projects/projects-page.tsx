import type { Project } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAddressChoice, useAddressPart } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { useRights } from '../../api/session.ts';
import { countOf } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pick } from '../../ui/pick.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import {
  PROJECT_FILTERS,
  PROJECT_SORTS,
  type ProjectFilter,
  type ProjectSort,
  arrangeProjects,
  tagsOf,
} from './arrange-projects.ts';
import { CreateProject } from './create-project.tsx';
import { FirstRun } from './first-run.tsx';
import { ProjectRow } from './project-row.tsx';
import styles from './projects-page.module.css';

const RECENT_RUNS = 30;

const projectsQuery = ask('listProjects', { query: { recent: RECENT_RUNS, archived: true } });

const SORT_NAMES: Record<ProjectSort, string> = {
  status: 'Failing first',
  activity: 'Latest activity',
  name: 'Name',
  rate: 'Lowest pass rate',
};
const FILTER_NAMES: Record<ProjectFilter, string> = { all: 'All', failing: 'Failing', archived: 'Archived' };

export const ProjectsPage = () => {
  const query = useQuery(projectsQuery);
  const [search, setSearch] = useAddressPart('q', '');
  const { administrator } = useRights();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Projects"
      actions={
        <>
          {(query.data?.length ?? 0) > 1 && (
            <SearchField
              label="Search projects"
              value={search}
              onChange={(text) => setSearch(text, { replace: true })}
            />
          )}
          {administrator && <Button onClick={() => setCreating(true)}>New project</Button>}
        </>
      }
    >
      <Loaded query={query}>
        {(projects) => (projects.length === 0 ? <FirstRun /> : <ProjectList projects={projects} search={search} />)}
      </Loaded>
      {creating && <CreateProject onClose={() => setCreating(false)} />}
    </Page>
  );
};

const ProjectList = ({ projects, search }: { readonly projects: readonly Project[]; readonly search: string }) => {
  const [filter, setFilter] = useAddressChoice('show', PROJECT_FILTERS, 'all');
  const [sort, setSort] = useAddressChoice('sort', PROJECT_SORTS, 'status');
  const [tag, setTag] = useAddressPart('tag', '');
  const tags = useMemo(() => tagsOf(projects), [projects]);
  const shown = useMemo(
    () => arrangeProjects(projects, { search, filter, tag, sort }),
    [projects, search, filter, tag, sort],
  );
  const archived = projects.filter(({ archivedAt }) => archivedAt !== null).length;
  const count = filter === 'archived' ? archived : projects.length - archived;
  const all = `${countOf(count, 'project')}${filter === 'archived' ? ' archived' : ''}`;
  return (
    <Panel
      title="Projects"
      note={shown.length === count ? all : `${shown.length} of ${all}`}
      actions={
        (projects.length > 1 || archived > 0 || filter === 'archived') && (
          <div className={styles['tools']}>
            {shown.length > 0 && (
              <CsvButton name="projects" rows={() => shown.map(({ recentRuns: _recentRuns, ...project }) => project)} />
            )}
            <Choice
              label="Which projects"
              value={filter}
              options={PROJECT_FILTERS.filter(
                (value) => value !== 'archived' || archived > 0 || filter === 'archived',
              ).map((value) => ({ value, label: FILTER_NAMES[value] }))}
              onChange={setFilter}
            />
            {(tags.length > 0 || tag !== '') && (
              <Pick
                label="Tag"
                value={tag}
                options={[
                  { value: '', label: 'Any tag' },
                  ...(tag === '' || tags.includes(tag) ? tags : [tag, ...tags]).map((value) => ({
                    value,
                    label: value,
                  })),
                ]}
                onChange={setTag}
              />
            )}
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
        <Empty title={emptyWords(count, filter)}>
          {count === 0 && filter !== 'archived' && (
            <Button onClick={() => setFilter('archived')}>Show archived projects</Button>
          )}
        </Empty>
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

const emptyWords = (count: number, filter: ProjectFilter): string => {
  if (filter === 'archived') return count === 0 ? 'No project is archived' : 'No matching project is archived';
  if (count === 0) return 'All projects are archived';
  return filter === 'failing' ? 'No matching project is failing' : 'No matching projects';
};
