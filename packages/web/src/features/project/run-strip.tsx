import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { countOf } from '../../format/number.ts';
import { formatExact } from '../../format/time.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { shortCommit } from '../revision/short-commit.ts';
import { lookOfRun } from '../status/outcome.ts';
import { StatusBadge } from '../status/status-mark.tsx';
import { countWords, runWords } from './run-words.ts';
import type { Run } from './runs.ts';
import styles from './run-strip.module.css';

const RUNS_IN_STRIP = 60;
/** Fewer runs leave places free, as the greatest width of a bar has it. */
const FEWEST_PLACES = 34;

/** The latest runs, oldest left: high is bad, so that it reads without colours. */
export const RunStrip = ({ runs }: { readonly runs: readonly Run[] }) => {
  const shown = useMemo(() => runs.slice(0, RUNS_IN_STRIP).reverse(), [runs]);
  const list = useRef<HTMLOListElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const pointed = at === null ? undefined : shown[at];
  /** One stop of the Tab key for all: arrows go on from there. */
  const onKeyDown = (event: KeyboardEvent): void => {
    const links = [...list.current!.querySelectorAll('a')];
    const from = links.indexOf(document.activeElement as HTMLAnchorElement);
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    links[to]?.focus();
  };
  return (
    <Panel title={`Latest ${shown.length} runs`} note={summary(shown)} padded>
      <div className={styles['frame']}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <ol
          ref={list}
          className={styles['strip']}
          aria-label="Latest runs, oldest first; the arrow keys go through them"
          onKeyDown={onKeyDown}
          onPointerLeave={() => setAt(null)}
          onBlur={() => setAt(null)}
        >
          {shown.map((run, index) => (
            <li key={run.id} onPointerEnter={() => setAt(index)}>
              <Link
                to={paths.run(run.id)}
                tabIndex={index === shown.length - 1 ? 0 : -1}
                aria-label={`${runWords(run)}, ${formatExact(new Date(run.startTime))}`}
                onFocus={() => setAt(index)}
              >
                <i data-look={lookOfRun(run.status)} data-flaky={run.flakyTests > 0} />
              </Link>
            </li>
          ))}
        </ol>
        {pointed && <Tip run={pointed} share={(at! + 0.5) / Math.max(shown.length, FEWEST_PLACES)} />}
      </div>
      <div className={styles['ends']}>
        <Time value={shown[0]!.startTime} />
        <span className={styles['key']} aria-hidden="true">
          <i data-look="failed" /> Failed
          <i data-look="passed" data-flaky="true" /> Passed, some flaky
          <i data-look="passed" /> Passed
          {shown.some(({ status }) => status === 'running') && (
            <>
              <i data-look="running" /> Running
            </>
          )}
        </span>
        <Time value={shown.at(-1)!.startTime} />
      </div>
    </Panel>
  );
};

const Tip = ({ run, share }: { readonly run: Run; readonly share: number }) => (
  <div
    className={styles['tip']}
    style={share < 0.5 ? { left: `${share * 100}%` } : { right: `${(1 - Math.min(1, share)) * 100}%` }}
    aria-hidden="true"
  >
    <span>
      <strong>#{run.id}</strong> <StatusBadge status={run.status} />
    </span>
    {run.branch && (
      <span>
        {run.branch}
        {run.commit && ` at ${shortCommit(run.commit)}`}
      </span>
    )}
    <span>{countWords(run)}</span>
    <span>{formatExact(new Date(run.startTime))}</span>
  </div>
);

const summary = (runs: readonly Run[]): string => {
  const failed = runs.filter(({ status }) => lookOfRun(status) === 'failed').length;
  return failed === 0 ? 'none failed' : `${countOf(failed, 'run')} failed`;
};
