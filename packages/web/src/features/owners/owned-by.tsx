import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { filterByOwner } from './filter-by-owner.ts';
import styles from './owned-by.module.css';

interface Props {
  /** Left out where they are not known. */
  readonly owners: readonly string[] | undefined;
  readonly projectId: number;
}

/** Who owns a test, each a link to all tests of that owner. */
export const OwnedBy = ({ owners, projectId }: Props) => {
  if (!owners) return null;
  if (owners.length === 0) return <span title="No rule of CODEOWNERS names an owner of this file">No owner</span>;
  return (
    <span className={styles['owners']}>
      <span>{owners.length === 1 ? 'Owner' : 'Owners'}</span>
      {owners.map((owner) => (
        <Link key={owner} to={paths.tests(projectId, { filter: filterByOwner(owner) })}>
          {owner}
        </Link>
      ))}
    </span>
  );
};
