import type { Cluster } from '@assay/contract';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './clusters.module.css';

/** When a cluster was seen, and in which run. */
export const SeenRun = ({ run }: { readonly run: Cluster['lastSeen'] }) =>
  run && (
    <span className={styles['seen']}>
      <Time value={run.startTime} />
      <Link to={paths.run(run.id)}>run #{run.id}</Link>
    </span>
  );
