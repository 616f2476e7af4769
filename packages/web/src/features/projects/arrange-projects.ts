import type { Project } from '@assay/contract';
import { lookOfRun, type Look, passRate } from '../status/outcome.ts';

export const PROJECT_SORTS = ['status', 'activity', 'name', 'rate'] as const;
export type ProjectSort = (typeof PROJECT_SORTS)[number];
export const PROJECT_FILTERS = ['all', 'failing', 'archived'] as const;
export type ProjectFilter = (typeof PROJECT_FILTERS)[number];

/** The run that says how a project is: of its default branch, or of any where that branch has none. */
export const tellingRun = ({ defaultBranchRun, latestRun }: Project): Project['latestRun'] =>
  defaultBranchRun ?? latestRun;

/** What needs a look first; projects without a run last. */
const RANKS: Record<Look, number> = { failed: 0, other: 1, running: 2, flaky: 3, passed: 3, skipped: 3 };

const rankOf = (project: Project): number => {
  const run = tellingRun(project);
  return run ? RANKS[lookOfRun(run.status)] : 4;
};

const rateOf = (project: Project): number => {
  const run = tellingRun(project);
  return (run && passRate(run)) ?? 2;
};

const nameOf = ({ name, label }: Project): string => label ?? name;

/** The service lists them by activity; equal ones keep that order. */
const COMPARE: Record<ProjectSort, (a: Project, b: Project) => number> = {
  status: (a, b) => rankOf(a) - rankOf(b),
  activity: () => 0,
  name: (a, b) => nameOf(a).localeCompare(nameOf(b)),
  rate: (a, b) => rateOf(a) - rateOf(b),
};

interface Wanted {
  readonly search: string;
  readonly filter: ProjectFilter;
  /** Empty for all. */
  readonly tag: string;
  readonly sort: ProjectSort;
}

export const arrangeProjects = (projects: readonly Project[], { search, filter, tag, sort }: Wanted): Project[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return projects
    .filter(({ archivedAt, tags }) => (archivedAt !== null) === (filter === 'archived') && (!tag || tags.includes(tag)))
    .filter(({ name, label, description, tags }) => {
      const text = `${name} ${label ?? ''} ${description ?? ''} ${tags.join(' ')}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .filter((project) => filter !== 'failing' || rankOf(project) === RANKS.failed)
    .toSorted(COMPARE[sort]);
};

/** Each tag once, by name. */
export const tagsOf = (projects: readonly Project[]): string[] =>
  [...new Set(projects.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b));
