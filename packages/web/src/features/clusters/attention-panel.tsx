import type { Cluster } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { useNow } from '../../ui/clock.ts';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { needAttention } from './attention.ts';
import styles from './clusters.module.css';

const LISTED = 5;

/** Problems of a project that came or came back lately; nothing where there are none. */
export const AttentionPanel = ({ projectId }: { readonly projectId: number }) => {
  const { data } = useQuery(ask('listClusters', { params: { id: projectId }, query: {} }));
  const now = useNow();
  const { returned, fresh } = needAttention(data?.clusters ?? [], now);
  if (returned.length + fresh.length === 0) return null;
  const note = [
    returned.length > 0 && `${formatCount(returned.length)} came back`,
    fresh.length > 0 && `${formatCount(fresh.length)} new within a week`,
  ];
  return (
    <Panel
      title="Needs attention"
      note={`problems on all branches: ${note.filter(Boolean).join(', ')}`}
      actions={<Link to={paths.clusters(projectId)}>All clusters of failures</Link>}
    >
      <ul className={styles['listed']}>
        {[...returned, ...fresh].slice(0, LISTED).map((cluster) => (
          <li key={cluster.id}>
            <div className={styles['cluster']}>
              <Link to={paths.cluster(cluster.id)}>
                <code>{cluster.cause || 'An error without words'}</code>
              </Link>
              <Since cluster={cluster} />
            </div>
          </li>
        ))}
      </ul>
      {returned.length + fresh.length > LISTED && (
        <p className={styles['unread']}>and {formatCount(returned.length + fresh.length - LISTED)} more</p>
      )}
    </Panel>
  );
};

const Since = ({ cluster: { life, firstSeen, failures, runs, assignee } }: { readonly cluster: Cluster }) => (
  <span>
    {life.state === 'returned' ? (
      <>back after {countOf(life.returnedAfter!, 'run')} without it</>
    ) : (
      <>
        since <Time value={firstSeen!.startTime} />
      </>
    )}
    , {countOf(failures, 'failure')} in {countOf(runs, 'run')}
    {assignee && `, assigned to ${assignee}`}
  </span>
);
