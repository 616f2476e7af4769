import { Icon } from '../../ui/icon.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { type PullRequest, type Repository } from './repository.ts';
import { shortCommit } from './short-commit.ts';
import styles from './revision.module.css';

interface Props {
  readonly branch: string | null;
  readonly commit: string | null;
  /** Where the commit can be looked at. */
  readonly repository?: Repository | null;
  readonly pullRequest?: PullRequest | null;
}

/** The branch and the commit that something ran on. */
export const Revision = ({ branch, commit, repository = null, pullRequest = null }: Props) => (
  <>
    {branch && (
      <span className={styles['part']} title={`Branch ${branch}`}>
        <Icon name="branch" size={13} />
        <span className={styles['text']}>{branch}</span>
      </span>
    )}
    {commit && (
      <span className={styles['part']} title={`Commit ${commit}`}>
        <Icon name="commit" size={13} />
        <code className={styles['text']}>
          <OutsideLink href={repository?.commit(commit) ?? null}>{shortCommit(commit)}</OutsideLink>
        </code>
      </span>
    )}
    {pullRequest && (
      <span className={styles['part']}>
        <OutsideLink href={pullRequest.href}>{pullRequest.words}</OutsideLink>
      </span>
    )}
  </>
);
