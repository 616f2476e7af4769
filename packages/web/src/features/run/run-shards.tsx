import type { Run, Shards } from '@assay/contract';
import { formatDuration } from '../../format/duration.ts';
import { countOf } from '../../format/number.ts';
import { Elapsed } from '../../ui/elapsed.tsx';
import { Fold } from '../../ui/fold.tsx';
import { LookMark, RunMark } from '../status/status-mark.tsx';
import styles from './run-shards.module.css';

/** Which parts of the run have come, and what each of them says. */
export const RunShards = ({ shards: { total, missing, parts } }: { readonly shards: Shards }) => (
  <Fold title="Shards" note={missing.length === 0 ? total : `${total - missing.length} of ${total}`}>
    <ol className={styles['shards']}>
      {parts.map((part) => (
        <li key={part.index}>
          <RunMark status={part.status} size={14} />
          <span>{part.index === 0 ? 'No shard' : `Shard ${part.index}`}</span>
          <small>
            {part.attempt > 1 && `attempt ${part.attempt} · `}
            {countOf(part.totalTests, 'test')}
          </small>
          <span className={styles['end']}>
            {part.status === 'running' ? <Elapsed since={part.startTime} /> : formatDuration(part.duration)}
          </span>
        </li>
      ))}
      {missing.map((index) => (
        <li key={`missing ${index}`} className={styles['missing']}>
          <LookMark look="other" size={14} />
          <span>Shard {index}</span>
          <small>not received</small>
        </li>
      ))}
    </ol>
  </Fold>
);

/** `shard 3 of 4 is missing`; nothing when all are there. */
export const missingShards = ({ shards }: Pick<Run, 'shards'>): string | null => {
  if (!shards || shards.missing.length === 0) return null;
  const { missing, total } = shards;
  if (missing.length === 1) return `shard ${missing[0]} of ${total} is missing`;
  return `${missing.length} of ${total} shards are missing`;
};
