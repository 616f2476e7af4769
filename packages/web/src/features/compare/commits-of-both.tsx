import type { Commit, ProjectOfCode, RunRef } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { Fold } from '../../ui/fold.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { type Repository, repositoryOf } from '../revision/repository.ts';
import { shortCommit } from '../revision/short-commit.ts';
import { aboutCommits } from './commit-words.ts';
import styles from './compare-page.module.css';

interface Props {
  readonly project: ProjectOfCode;
  readonly here: RunRef;
  readonly there: RunRef;
}

/** More than these would push away what differs in the results. */
const MOST_OPEN = 10;

const HASH = /^[\da-f]{7,64}$/i;

/** What changed in the code between two runs, as far as senders told it. */
export const CommitsOfBoth = ({ project, here, there }: Props) => {
  const [to, from] = [hashOf(here.commit), hashOf(there.commit)];
  if (to === null || from === null) return null;
  if (to === from) return <p className={styles['durations']}>Both runs are of the commit {shortCommit(to)}.</p>;
  return <Commits project={project} to={to} from={from} />;
};

const hashOf = (commit: string | null): string | null =>
  commit !== null && HASH.test(commit) ? commit.toLowerCase() : null;

interface CommitsProps {
  readonly project: ProjectOfCode;
  readonly to: string;
  readonly from: string;
}

const Commits = ({ project, to, from }: CommitsProps) => {
  const params = { id: project.id };
  const { data: here } = useQuery(ask('listCommits', { params, query: { from, to } }));
  const { data: there } = useQuery(ask('listCommits', { params, query: { from: to, to: from } }));
  if (!here || !there) return null;
  const columns = columnsOf(repositoryOf(project.repositoryUrl));
  const lists = [
    { title: 'Commits only in this run', commits: here.commits },
    { title: 'Commits only in the other run', commits: there.commits },
  ];
  return (
    <>
      <p className={styles['durations']}>{aboutCommits(here, there)}</p>
      {here.complete &&
        there.complete &&
        lists.map(
          ({ title, commits }) =>
            commits.length > 0 && (
              <Fold key={title} title={title} note={formatCount(commits.length)} closed={commits.length > MOST_OPEN}>
                <Table label={title} columns={columns} rows={commits} keyOf={({ hash }) => hash} stacked />
              </Fold>
            ),
        )}
    </>
  );
};

const columnsOf = (repository: Repository | null): readonly Column<Commit>[] => [
  { title: 'Commit', wide: true, cell: ({ subject }) => <span className={styles['subject']}>{subject}</span> },
  {
    title: 'Hash',
    cell: ({ hash }) => (
      <code>
        <OutsideLink href={repository?.commit(hash) ?? null}>{shortCommit(hash)}</OutsideLink>
      </code>
    ),
  },
  { title: 'Author', cell: ({ author }) => author },
  { title: 'Files', wide: true, cell: (commit) => <ChangedFiles {...commit} /> },
  { title: 'Committed', cell: ({ time }) => <Time value={time} /> },
];

const SHOWN_FILES = 3;

const ChangedFiles = ({ files, moreFiles = 0 }: Pick<Commit, 'files' | 'moreFiles'>) => {
  if (files === null) return <span className={styles['unknown']}>not known</span>;
  const more = files.length - SHOWN_FILES + moreFiles;
  return (
    <span className={styles['files']}>
      {files.slice(0, SHOWN_FILES).map(({ path, change, from }) => (
        <span key={path} title={from === undefined ? change : `${change} from ${from}`}>
          {path}
        </span>
      ))}
      {more > 0 && <span>and {countOf(more, 'other')}</span>}
    </span>
  );
};
