import type { Run } from '@assay/contract';
import { memo, useState } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { classNames } from '../../ui/class-names.ts';
import { copyText } from '../../ui/copy-button.tsx';
import { Elapsed } from '../../ui/elapsed.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Time } from '../../ui/time.tsx';
import { shortCommit } from '../revision/short-commit.ts';
import { missingShards } from '../run/run-shards.tsx';
import { CountBar } from '../status/count-bar.tsx';
import { lookOfRun, statusWords } from '../status/outcome.ts';
import { RunMark } from '../status/status-mark.tsx';
import { durationHint } from './usual-duration.ts';
import styles from './run-row.module.css';

const SAID_FOR_MS = 1_800;

export const RunHeads = () => (
  <div className={classNames(styles['row'], styles['heads'])} aria-hidden="true">
    <span />
    <span>Run</span>
    <span>Results</span>
    <span className={styles['end']}>Duration</span>
    <span className={styles['end']}>Started</span>
  </div>
);

interface Props {
  readonly run: Run;
  readonly usual: number | undefined;
}

/** Light: a scroll puts dozens of these on the page within a frame. */
export const RunRow = memo(({ run, usual }: Props) => {
  const missing = missingShards(run);
  return (
    <div className={styles['row']}>
      <RunMark status={run.status} size={18} />
      <div className={styles['main']}>
        <span className={styles['first']}>
          <Link to={paths.run(run.id)} className={styles['link']}>
            {`#${run.id}`}
          </Link>
          {run.pinned && (
            <span className={styles['pinned']} title="Pinned">
              <Icon name="pinned" size={12} />
              <span className="unseen">Pinned</span>
            </span>
          )}
          {lookOfRun(run.status) !== 'passed' && <span className={styles['quiet']}>{statusWords(run.status)}</span>}
          {missing && <span className={styles['quiet']}>{missing}</span>}
          {run.commitMessage && (
            <span className={styles['message']} title={run.commitMessage}>
              {run.commitMessage}
            </span>
          )}
        </span>
        <span className={styles['second']}>
          {run.branch && (
            <span className={styles['branch']} title={run.branch}>
              {run.branch}
            </span>
          )}
          {run.commit && <Commit commit={run.commit} />}
          {run.author && <span className={styles['author']}>{run.author}</span>}
        </span>
      </div>
      <div className={styles['results']}>
        <CountBar {...run} />
        <span className={styles['counts']}>
          <Count count={run.failedTests} word="failed" />
          <Count count={run.flakyTests} word="flaky" />
          <Count count={Math.max(0, run.passedTests - run.flakyTests)} word="passed" />
          <Count count={run.skippedTests} word="skipped" />
        </span>
      </div>
      <Duration run={run} usual={usual} />
      <span className={styles['time']}>
        <Time value={run.startTime} />
      </span>
    </div>
  );
});
RunRow.displayName = 'RunRow';

/** The commit, which a click copies whole. */
const Commit = ({ commit }: { readonly commit: string }) => {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await copyText(commit))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_FOR_MS);
  };
  return (
    <button
      type="button"
      className={styles['commit']}
      title={`Copy ${commit}`}
      aria-label={`Copy commit ${shortCommit(commit)}`}
      onClick={() => void copy()}
    >
      {copied ? <span role="status">Copied</span> : shortCommit(commit)}
    </button>
  );
};

/** What there is none of needs no word. */
const Count = ({ count, word }: { readonly count: number; readonly word: string }) =>
  count > 0 && <span className={styles[word]}>{`${formatCount(count)} ${word}`}</span>;

const Duration = ({ run, usual }: Props) => {
  if (run.status === 'running') {
    return (
      <span className={styles['duration']}>
        <Elapsed since={run.startTime} />
      </span>
    );
  }
  const hint = durationHint(run.duration, usual);
  return (
    <span
      className={styles['duration']}
      title={usual === undefined ? undefined : `Usually ${formatDuration(usual)}, the median of the 20 runs before`}
    >
      {formatDuration(run.duration)}
      {hint && (
        <span className={hint.slower ? styles['slower'] : styles['faster']}>
          {hint.slower ? `↑ ${hint.by} slower` : `↓ ${hint.by} faster`}
        </span>
      )}
      {!hint && usual !== undefined && run.duration !== null && <span className={styles['faster']}>as usual</span>}
    </span>
  );
};
