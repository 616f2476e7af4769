import type { Endpoints, Reply } from '@assay/contract';
import type { ReactNode } from 'react';
import { formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { RunMark } from '../status/status-mark.tsx';

export interface Found {
  readonly group: string;
  readonly to: string;
  readonly label: string;
  readonly mark: ReactNode;
  readonly about: ReactNode;
}

type SearchReply = Reply<Endpoints['searchEverything']>;

/** What a search left out; null when it went through everything. */
export const leftOutOf = ({ searchedNewest: { runs, tests, errors } }: SearchReply): string | null => {
  const searched = [
    ...(tests === null ? [] : [`${formatCount(tests)} test names`]),
    ...(runs === null ? [] : [`${formatCount(runs)} runs`]),
    ...(errors === null ? [] : [`${formatCount(errors)} errors`]),
  ];
  return searched.length === 0 ? null : `Searched the newest ${searched.join(' and ')}`;
};

export const foundIn = ({ projects, runs, tests, errors }: SearchReply): Found[] => [
  ...projects.map(({ id, name, label }) => ({
    group: 'Projects',
    to: paths.project(id),
    label: label ?? name,
    mark: <Icon name="chevronRight" />,
    about: label ? name : '',
  })),
  ...runs.map((run) => ({
    group: 'Runs',
    to: paths.run(run.id),
    label: `Run #${run.id}${run.branch ? ` on ${run.branch}` : ''}`,
    mark: <RunMark status={run.status} />,
    about: (
      <>
        {run.project.name} · <Time value={run.startTime} />
      </>
    ),
  })),
  ...tests.map((test) => ({
    group: 'Tests',
    to: paths.test(test.id),
    label: test.title,
    mark: <Icon name="file" />,
    about: `${test.project.name} · ${test.filePath}`,
  })),
  ...errors.map(({ clusterId, cause, project }) => ({
    group: 'Errors',
    to: paths.cluster(clusterId),
    label: cause,
    mark: <Icon name="warning" />,
    about: project.name,
  })),
];
