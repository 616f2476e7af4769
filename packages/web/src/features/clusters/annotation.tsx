import type { Cluster } from '@assay/contract';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './clusters.module.css';

interface Props {
  readonly cluster: Pick<Cluster, 'note' | 'assignee' | 'issueUrl' | 'snoozedUntil'>;
  readonly now: Date;
}

/** What people say of a cluster; nothing where nobody has said anything. */
export const Annotation = ({ cluster: { note, assignee, issueUrl, snoozedUntil }, now }: Props) => {
  const isSnoozed = snoozedUntil !== null && new Date(snoozedUntil) > now;
  if (note === null && assignee === null && issueUrl === null && !isSnoozed) return null;
  return (
    <p className={styles['annotation']}>
      {isSnoozed && (
        <span>
          Snoozed until <Time value={snoozedUntil} />
        </span>
      )}
      {assignee && <span>Assigned to {assignee}</span>}
      {issueUrl && <OutsideLink href={issueUrl}>{shortAddress(issueUrl)}</OutsideLink>}
      {note && <span className={styles['note']}>{note}</span>}
    </p>
  );
};

/** Where it leads, and the end by which people know it. */
const shortAddress = (address: string): string => {
  const { host, pathname } = new URL(address);
  const last = pathname.split('/').findLast(Boolean);
  return last === undefined ? host : `${last} at ${host}`;
};
