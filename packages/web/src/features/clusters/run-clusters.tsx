import type { RunCluster } from '@assay/contract';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { useNow } from '../../ui/clock.ts';
import { Fold } from '../../ui/fold.tsx';
import { Link } from '../../ui/link.tsx';
import { Annotation } from './annotation.tsx';
import { LifeMark } from './life-mark.tsx';
import styles from './clusters.module.css';

interface Props {
  readonly clusters: readonly RunCluster[];
  readonly totalClusters: number;
}

/** Which problems a red run shows, and what is known of each. */
export const RunClusters = ({ clusters, totalClusters }: Props) => {
  const now = useNow();
  if (clusters.length === 0) return null;
  const fresh = clusters.filter(({ isNew }) => isNew).length;
  return (
    <Fold
      title="Clusters of failures"
      note={`${formatCount(totalClusters)}${fresh > 0 ? `, ${formatCount(fresh)} new` : ', none new'}`}
      closed
    >
      <ul className={styles['listed']}>
        {clusters.map((cluster) => (
          <li key={cluster.id}>
            <div className={styles['cluster']}>
              <Link to={paths.cluster(cluster.id)}>
                <code>{cluster.cause || 'An error without words'}</code>
              </Link>
              <span className={styles['figures']}>
                {cluster.isNew ? <strong>New in this run</strong> : <LifeMark life={cluster.life} />}
                <span>
                  {countOf(cluster.failuresHere, 'failure')} here, {formatCount(cluster.failures)} in{' '}
                  {countOf(cluster.runs, 'run')}
                </span>
              </span>
              <Annotation cluster={cluster} now={now} />
            </div>
          </li>
        ))}
      </ul>
      {totalClusters > clusters.length && (
        <p className={styles['unread']}>
          {formatCount(totalClusters - clusters.length)} more, with fewer failures, are not shown.
        </p>
      )}
    </Fold>
  );
};
