import { type TestCaseDetails, errorCause, outcomeOf } from '@assay/contract';
import { useMemo } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { ErrorText, OutputText } from '../error/error-text.tsx';
import { StatusBadge } from '../status/status-mark.tsx';
import { ALL_BRANCHES } from '../window/window.ts';
import { type Attempt, readAttempts } from './attempts.ts';
import { jsonOf } from './reading.ts';
import { layOutSteps, pathToFailure } from './waterfall.ts';
import styles from './result-panel.module.css';

const ERROR_LINES = 60;
const ATTEMPT_LINES = 12;
const OUTPUT_LINES = 40;

/** Why it failed, and what each attempt came to. */
export const ResultPanel = ({ result }: { readonly result: TestCaseDetails }) => {
  const { id, status, error, attempts, steps, testRun } = result;
  const failedIn = useMemo(() => pathToFailure(layOutSteps(steps).rows), [steps]);
  const tried = useMemo(() => readAttempts(attempts), [attempts]);
  return (
    <>
      {error && (
        <section className={styles['error']} aria-label="Error">
          <ErrorText text={error} lines={ERROR_LINES} />
          {failedIn.length > 0 && (
            <p className={styles['step']}>
              Failed in step <Link to={paths.testCase(id, { tab: 'steps' })}>{failedIn.join(' › ')}</Link>
            </p>
          )}
          {outcomeOf(status) === 'failed' && (
            <p className={styles['step']}>
              <Link
                to={paths.causes(testRun.project.id, { branch: ALL_BRANCHES, days: '30d', cause: errorCause(error) })}
              >
                All failures of this cause in 30 days
              </Link>
            </p>
          )}
        </section>
      )}
      {(tried.length > 1 || (tried.length === 1 && (!error || saysMore(tried[0]!)))) && (
        <Panel title="Attempts" note={countOf(tried.length, 'attempt')}>
          <ol>
            {tried.map((attempt, at) => (
              <AttemptRow key={at} attempt={attempt} errorTold={whereTold(tried, at, error)} />
            ))}
          </ol>
        </Panel>
      )}
    </>
  );
};

/** Whether an attempt says more than the error of its result. */
const saysMore = ({ stdout, stderr, rest }: Attempt): boolean =>
  stdout !== null || stderr !== null || rest !== undefined;

/** Where the error of an attempt has been shown already. */
const whereTold = (attempts: readonly Attempt[], at: number, errorAbove: string | null): string | null => {
  const { error } = attempts[at]!;
  if (error === null) return null;
  if (error === errorAbove) return 'The error above';
  const same = attempts.slice(0, at).find((before) => before.error === error);
  return same ? `The error of attempt ${same.number}` : null;
};

const AttemptRow = ({ attempt, errorTold }: { readonly attempt: Attempt; readonly errorTold: string | null }) => {
  const { number, status, duration, startTime, error, stdout, stderr, worker, rest } = attempt;
  return (
    <li className={styles['attempt']}>
      <div className={styles['facts']}>
        <strong>Attempt {number}</strong>
        {status && <StatusBadge status={status} />}
        {duration !== null && <span>{formatDuration(duration)}</span>}
        {startTime && <Time value={startTime} />}
        {worker !== null && <span>Worker {worker}</span>}
        {errorTold && <span>{errorTold}</span>}
      </div>
      {error !== null && errorTold === null && <ErrorText text={error} lines={ATTEMPT_LINES} />}
      {stdout !== null && <Output title="Standard output" text={stdout} />}
      {stderr !== null && <Output title="Standard error" text={stderr} />}
      {rest !== undefined && (
        <details open={status === null}>
          <summary>{status === null ? 'As submitted' : 'Also submitted'}</summary>
          <CodeBlock what={`what else was sent of attempt ${number}`} text={jsonOf(rest)} />
        </details>
      )}
    </li>
  );
};

const Output = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <details open className={styles['output']}>
    <summary>{title}</summary>
    <OutputText text={text} lines={OUTPUT_LINES} what={title.toLowerCase()} />
  </details>
);
