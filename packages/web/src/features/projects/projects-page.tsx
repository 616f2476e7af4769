import type { Project } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useAddressPart } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { countOf } from '../../format/number.ts';
import { classNames } from '../../ui/class-names.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { FirstRun } from './first-run.tsx';
import { ProjectRow } from './project-row.tsx';
import styles from './projects-page.module.css';

const RECENT_RUNS = 30;

const projectsQuery = ask('listProjects', { query: { recent: RECENT_RUNS } });

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
        {(projects) => (projects.length === 0 ? <FirstRun /> : <ProjectList projects={found(projects, search)} />)}
      </Loaded>
    </Page>
  );
};

const found = (projects: readonly Project[], search: string): readonly Project[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return projects.filter(({ name, label, description }) => {
    const text = `${name} ${label ?? ''} ${description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
};

const ProjectList = ({ projects }: { readonly projects: readonly Project[] }) => {
  if (projects.length === 0) return <Empty title="No matching projects" />;
  return (
    <Panel title="All projects" note={countOf(projects.length, 'project')}>
      <div className={classNames(styles['row'], styles['heads'])} aria-hidden="true">
        <span>Project</span>
        <span>Default branch</span>
        <span>Pass rate</span>
        <span>Duration</span>
        <span className={styles['end']}>Flaky</span>
        <span className={styles['end']}>Activity</span>
      </div>
      <ul className={styles['list']}>
        {projects.map((project) => (
          <li key={project.id}>
            <ProjectRow project={project} />
          </li>
        ))}
      </ul>
    </Panel>
  );
};
