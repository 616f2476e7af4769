import { type Attachment, type TestCaseDetails, errorCause, outcomeOf } from '@assay/contract';
import { useMemo } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatBytes } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { classNames } from '../../ui/class-names.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { Documents } from '../attachments/documents.tsx';
import { Gallery } from '../attachments/gallery.tsx';
import { groupAttachments, viewablesOf } from '../attachments/group-attachments.ts';
import { Viewer } from '../attachments/viewer.tsx';
import { ErrorText, OutputText } from '../error/error-text.tsx';
import { StatusBadge } from '../status/status-mark.tsx';
import { ALL_BRANCHES } from '../window/window.ts';
import { type Attempt, countLeftOut, type LeftOut, readAttempts } from './attempts.ts';
import { type AttemptEvidence, evidenceOf } from './evidence.ts';
import { PrintedOutput } from './printed-output.tsx';
import { jsonOf } from './reading.ts';
import { layOutSteps, pathToFailure } from './waterfall.ts';
import styles from './result-panel.module.css';

const ERROR_LINES = 60;
const ATTEMPT_LINES = 12;
const OUTPUT_LINES = 40;

/** Why it failed, and what each attempt came to and left behind. */
export const ResultPanel = ({ result }: { readonly result: TestCaseDetails }) => {
  const { id, status, error, attempts, attachments, steps, testRun } = result;
  const failedIn = useMemo(() => pathToFailure(layOutSteps(steps).rows), [steps]);
  const tried = useMemo(() => readAttempts(attempts), [attempts]);
  const evidence = useMemo(() => evidenceOf(error, tried, attachments), [error, tried, attachments]);
  const ofError = evidence.find(({ isOfError }) => isOfError)?.attachments ?? NONE;
  const grouped = useMemo(() => groupAttachments(ofError), [ofError]);
  const rows = evidence.length > 1 ? evidence : evidence.filter((only) => !error || saysMore(only));
  const viewables = useMemo(() => {
    const asShown = evidence.toSorted((a, b) => Number(b.isOfError) - Number(a.isOfError));
    return asShown.flatMap((own) => viewablesOf(groupAttachments(own.attachments)));
  }, [evidence]);
  return (
    <>
      {error && (
        <section className={styles['error']} aria-label="Error">
          <div className={classNames(styles['told'], isFew(grouped.media) && styles['beside'])}>
            <div className={styles['words']}>
              <ErrorText text={error} lines={ERROR_LINES} />
              {failedIn.length > 0 && (
                <p className={styles['step']}>
                  Failed in step <Link to={paths.testCase(id, { tab: 'steps' })}>{failedIn.join(' › ')}</Link>
                </p>
              )}
              {outcomeOf(status) === 'failed' && (
                <p className={styles['step']}>
                  <Link
                    to={paths.causes(testRun.project.id, {
                      branch: ALL_BRANCHES,
                      days: '30d',
                      cause: errorCause(error),
                    })}
                  >
                    All failures of this cause in 30 days
                  </Link>
                </p>
              )}
            </div>
            <Gallery media={grouped.media} />
          </div>
          <Documents {...grouped} />
        </section>
      )}
      {rows.length > 0 && (
        <Panel
          title={tried.length > 0 ? 'Attempts' : 'Attachments'}
          note={tried.length > 0 ? countOf(rows.length, 'attempt') : countOf(attachments.length, 'attachment')}
        >
          <ol>
            {rows.map((own, at) => (
              <AttemptRow key={at} own={own} errorTold={whereTold(tried, own.attempt, error)} />
            ))}
          </ol>
        </Panel>
      )}
      <Viewer viewables={viewables} />
    </>
  );
};

/** So many stand beside the error without leaving an empty place below it. */
const isFew = ({ length }: readonly Attachment[]): boolean => length === 1 || length === 2;

const NONE: readonly Attachment[] = [];

/** Whether an attempt has more than what is shown with the error of its result. */
const saysMore = ({ attempt, attachments, isOfError }: AttemptEvidence): boolean => {
  if (!isOfError && attachments.length > 0) return true;
  if (attempt === null) return false;
  const { stdout, stderr, output, leftOut, rest } = attempt;
  return stdout !== null || stderr !== null || output.length + leftOut.length > 0 || rest !== undefined;
};

/** Where the error of an attempt has been shown already. */
const whereTold = (attempts: readonly Attempt[], attempt: Attempt | null, errorAbove: string | null): string | null => {
  if (attempt === null || attempt.error === null) return null;
  if (attempt.error === errorAbove) return 'The error above';
  const same = attempts.slice(0, attempts.indexOf(attempt)).find(({ error }) => error === attempt.error);
  return same ? `The error of attempt ${same.number}` : null;
};

const AttemptRow = ({ own, errorTold }: { readonly own: AttemptEvidence; readonly errorTold: string | null }) => {
  const { number, attempt, attachments, isOfError } = own;
  const grouped = useMemo(() => groupAttachments(attachments), [attachments]);
  return (
    <li className={styles['attempt']}>
      <div className={styles['facts']}>
        <strong>Attempt {number}</strong>
        {attempt ? <AttemptFacts attempt={attempt} /> : <span>Only its attachments were sent</span>}
        {errorTold && <span>{errorTold}</span>}
        {isOfError && attachments.length > 0 && <span>{countOf(attachments.length, 'attachment')} above</span>}
      </div>
      {attempt && attempt.error !== null && errorTold === null ? (
        <div className={classNames(styles['told'], !isOfError && isFew(grouped.media) && styles['beside'])}>
          <ErrorText text={attempt.error} lines={ATTEMPT_LINES} />
          {!isOfError && <Gallery media={grouped.media} />}
        </div>
      ) : (
        !isOfError && <Gallery media={grouped.media} />
      )}
      {!isOfError && <Documents {...grouped} />}
      {attempt && <AttemptDetails attempt={attempt} />}
    </li>
  );
};

const AttemptFacts = ({
  attempt: { status, duration, startTime, worker, parallel },
}: {
  readonly attempt: Attempt;
}) => (
  <>
    {status && <StatusBadge status={status} />}
    {duration !== null && <span>{formatDuration(duration)}</span>}
    {startTime && <Time value={startTime} />}
    {worker !== null && <span>Worker {worker}</span>}
    {parallel !== null && <span>Parallel index {parallel}</span>}
  </>
);

const AttemptDetails = ({ attempt }: { readonly attempt: Attempt }) => {
  const { number, status, stdout, stderr, output, leftOut, rest } = attempt;
  return (
    <>
      {leftOut.length > 0 && <NotSent leftOut={leftOut} />}
      {output.length > 0 && (
        <details open className={styles['output']}>
          <summary>Output</summary>
          <PrintedOutput output={output} />
        </details>
      )}
      {stdout !== null && <Output title="Standard output" text={stdout} />}
      {stderr !== null && <Output title="Standard error" text={stderr} />}
      {rest !== undefined && (
        <details open={status === null}>
          <summary>{status === null ? 'As submitted' : 'Also submitted'}</summary>
          <CodeBlock what={`what else was sent of attempt ${number}`} text={jsonOf(rest)} />
        </details>
      )}
    </>
  );
};

const NotSent = ({ leftOut }: { readonly leftOut: readonly LeftOut[] }) => (
  <div className={styles['not-sent']}>
    <p>{countOf(countLeftOut(leftOut), 'attachment was', 'attachments were')} not sent:</p>
    <ul>
      {leftOut.map(({ name, contentType, size, why }, at) => {
        const about = [contentType, size === null ? null : formatBytes(size)].filter(Boolean).join(', ');
        return (
          <li key={at}>
            <bdi>{name}</bdi>
            {about && ` (${about})`}
            {why && `: ${why}`}
          </li>
        );
      })}
    </ul>
  </div>
);

const Output = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <details open className={styles['output']}>
    <summary>{title}</summary>
    <OutputText text={text} lines={OUTPUT_LINES} what={title.toLowerCase()} />
  </details>
);
