import { memo, useState } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { paths } from '../../paths.ts';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { ErrorText, firstLine } from '../error/error-text.tsx';
import { NotRunWords } from '../status/not-run.tsx';
import { CaseMark } from '../status/status-mark.tsx';
import { VerdictMark, VerdictTerms } from '../verdicts/verdict.tsx';
import { FailingSince } from './failing-since.tsx';
import { locatorOf } from './locator.ts';
import { PictureMark } from './picture-mark.tsx';
import type { Result } from './result-fields.ts';
import type { View } from './result-rows.ts';
import styles from './result-line.module.css';

interface Props {
  readonly result: Result;
  readonly grouped: View;
  /** Whether any result of the run names a browser. */
  readonly browsers: boolean;
}

/** One result; an error below it, which opens in place. */
export const ResultLine = memo(({ result, grouped, browsers }: Props) => {
  const { id, title, status, retries, filePath, line, browser, duration, tags, error, picture } = result.case;
  const place = line === null ? filePath : `${filePath}:${line}`;
  return (
    <div className={classNames(styles['result'], grouped !== 'list' && styles['inside'])}>
      <div className={classNames(styles['line'], !browsers && styles['plain'])}>
        <CaseMark status={status} retries={retries} />
        <span className={styles['named']}>
          <Link to={paths.testCase(id)} className={styles['title']} aria-label={[title, ...tags].join(' ')}>
            <MiddleText text={title} tail={16} labelled />
            {tags.map((tag) => (
              <span key={tag} className={styles['tag']}>
                {tag}
              </span>
            ))}
          </Link>
          {picture !== undefined && <PictureMark id={id} title={title} path={picture} />}
        </span>
        <span className={styles['place']}>
          {grouped === 'file' ? line !== null && `line ${line}` : <PathText path={place} />}
        </span>
        {browsers && (
          <span className={styles['browser']} title={browser ?? undefined}>
            {browser}
          </span>
        )}
        <span className={styles['duration']}>{formatDuration(duration)}</span>
      </div>
      {hasErrorLine(result) && <ErrorLine result={result} error={error ?? ''} />}
      {hasNotRunLine(result) && (
        <div className={styles['notRun']}>
          <NotRunWords notRun={result.case.notRun!} causeId={result.causeId} />
        </div>
      )}
    </div>
  );
});

/** A failure says since when it fails, also where it has no error. */
export const hasErrorLine = ({ case: { error }, failure, verdict }: Result): boolean =>
  (error !== null && error !== '') || failure !== undefined || verdict !== undefined;

export const hasNotRunLine = (result: Result): boolean => result.case.notRun !== undefined && !hasErrorLine(result);

const ErrorLine = ({ result, error }: { readonly result: Result; readonly error: string }) => {
  const [open, setOpen] = useState(false);
  const locator = open ? null : locatorOf(error);
  return (
    <>
      <button type="button" className={styles['error']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />
        {result.verdict && <VerdictMark verdict={result.verdict} />}
        {result.failure && <FailingSince failure={result.failure} defaultBranch={result.defaultBranch} />}
        {!open && <code>{firstLine(error) || 'No error message'}</code>}
        {!open && locator && <code className={styles['locator']}>{locator}</code>}
      </button>
      {open && (
        <div className={styles['whole']}>
          {result.verdict && <VerdictTerms verdict={result.verdict} />}
          {error !== '' && <ErrorText text={error} />}
          <Link to={paths.testCase(result.case.id)}>Steps, requests and history of this result</Link>
        </div>
      )}
    </>
  );
};
