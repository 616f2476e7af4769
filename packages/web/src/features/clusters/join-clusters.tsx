import type { ClusterDetails, SimilarCluster } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { queryClient, request } from '../../api/client.ts';
import { useRights } from '../../api/session.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type TextPiece, compareTexts } from './text-difference.ts';
import styles from './clusters.module.css';

const useJoin = () =>
  useMutation({
    mutationFn: ({ id, joinedTo }: { readonly id: number; readonly joinedTo: number | null }) =>
      request('updateCluster', { params: { id }, body: { joinedTo } }),
    onSuccess: () => queryClient.invalidateQueries(),
  });

/** Clusters that may be the same problem, with what differs marked. */
export const SimilarClusters = ({ cluster }: { readonly cluster: ClusterDetails }) => {
  const join = useJoin();
  if (cluster.similar.length === 0) return null;
  return (
    <Panel title="May be the same" note="causes with nearly the same words; what differs is marked">
      <ul className={styles['listed']}>
        {cluster.similar.map((other) => (
          <li key={other.id}>
            <ComparedCauses cause={cluster.cause} other={other} />
            <ForSubmitters>
              <Button
                small
                disabled={join.isPending}
                aria-label={`Join cluster ${other.id} with this one`}
                onClick={() => join.mutate({ id: other.id, joinedTo: cluster.id })}
              >
                Join
              </Button>
            </ForSubmitters>
          </li>
        ))}
      </ul>
      <Failure error={join.error} />
    </Panel>
  );
};

const ComparedCauses = ({ cause, other }: { readonly cause: string; readonly other: SimilarCluster }) => {
  const [own, others] = compareTexts(cause, other.cause);
  return (
    <div className={styles['compared']}>
      <Pieces pieces={own} />
      <Pieces pieces={others} />
      <p>
        <Link to={paths.cluster(other.id)}>Cluster {other.id}</Link>, {countOf(other.failures, 'failure')}
      </p>
    </div>
  );
};

const Pieces = ({ pieces }: { readonly pieces: readonly TextPiece[] }) => (
  <code>{pieces.map(({ text, isShared }, at) => (isShared ? text : <mark key={at}>{text}</mark>))}</code>
);

/** The causes that people have joined, and how to part them. */
export const JoinedCauses = ({ cluster }: { readonly cluster: ClusterDetails }) => {
  const part = useJoin();
  if (cluster.causes.length < 2) return null;
  return (
    <Panel title="Joined causes" note="people said that they are one problem">
      <ul className={styles['listed']}>
        {cluster.causes.map(({ id, cause, failures }) => (
          <li key={id}>
            <div className={styles['compared']}>
              <code>{cause}</code>
              <span>{countOf(failures, 'failure')}</span>
            </div>
            {id !== cluster.id && (
              <ForSubmitters>
                <Button
                  small
                  disabled={part.isPending}
                  aria-label={`Part cause ${id} from this cluster`}
                  onClick={() => part.mutate({ id, joinedTo: null })}
                >
                  Part
                </Button>
              </ForSubmitters>
            )}
          </li>
        ))}
      </ul>
      <Failure error={part.error} />
    </Panel>
  );
};

const ForSubmitters = ({ children }: { readonly children: React.ReactNode }) => useRights().submitter && children;
