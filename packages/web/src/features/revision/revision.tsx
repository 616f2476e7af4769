import { Icon } from '../../ui/icon.tsx';
import styles from './revision.module.css';

const SHORT_COMMIT = 8;

interface Props {
  readonly branch: string | null;
  readonly commit: string | null;
}

/** The branch and the commit that something ran on. */
export const Revision = ({ branch, commit }: Props) => (
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
        <code className={styles['text']}>{commit.slice(0, SHORT_COMMIT)}</code>
      </span>
    )}
  </>
);
