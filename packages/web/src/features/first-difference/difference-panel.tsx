import {
  type ExecutionDifference,
  type FirstDifference,
  type TestCaseDetails,
  isFlaky,
  outcomeOf,
} from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { alikeWords, differenceWords, untoldWords } from './words.ts';
import styles from './difference-panel.module.css';

/** What follows from the first difference is mostly its consequence. */
const SHOWN_AT_ONCE = 3;

/** What a failed or flaky result did otherwise than passing ones of its test. */
export const DifferencePanel = ({ result: { id, status, retries } }: { readonly result: TestCaseDetails }) => {
  const isRed = outcomeOf(status) === 'failed' || isFlaky(status, retries);
  const { data } = useQuery({ ...ask('getFirstDifference', { params: { id } }), enabled: isRed });
  if (!isRed || !data || !isTold(data)) return null;
  const { results, attempt, differences } = data;
  const [latest] = results;
  if (!latest) {
    return (
      <Panel title="First difference" padded>
        <p className={styles['none']}>
          No earlier result of this test passed at once: there is nothing to compare with.
        </p>
      </Panel>
    );
  }
  return (
    <Panel
      title="First difference"
      note={
        <>
          {attempt !== null && retries > 0 && `Attempt ${formatCount(attempt + 1)} `}beside{' '}
          {countOf(results.length, 'result')} that passed before it{results.length > 1 && ', such as'}{' '}
          <Link to={paths.testCase(latest.id)}>#{latest.testRunId}</Link>
        </>
      }
    >
      <Lines id={id} differences={differences.slice(0, SHOWN_AT_ONCE)} from={1} />
      <Rest id={id} data={data} />
    </Panel>
  );
};

interface LinesProps {
  readonly id: number;
  readonly differences: readonly ExecutionDifference[];
  readonly from: number;
}

const Lines = ({ id, differences, from }: LinesProps) => (
  <ol className={styles['lines']} start={from}>
    {differences.map((difference, at) => (
      <li key={at}>
        <Line id={id} difference={difference} />
      </li>
    ))}
  </ol>
);

const Rest = ({ id, data }: { readonly id: number; readonly data: FirstDifference }) => {
  const { differences, more } = data;
  const untold = untoldWords(data);
  const after = differences.slice(SHOWN_AT_ONCE);
  return (
    <div className={styles['rest']}>
      {differences.length === 0 && isCompared(data) && (
        <p>Nothing that is told of it differs from what passing results did.</p>
      )}
      {after.length > 0 && (
        <details>
          <summary>{countOf(after.length + more, 'more difference')} after these</summary>
          <Lines id={id} differences={after} from={SHOWN_AT_ONCE + 1} />
          {more > 0 && <p>{formatCount(more)} more are not listed.</p>}
        </details>
      )}
      {untold !== null && <p>{untold}</p>}
      <details>
        <summary>How this is known</summary>
        <p>
          Versions, environment, steps, requests and console messages are compared with at most ten results of this test
          that passed at once: the latest of its branch, then of the default branch, then of others. Told is what none
          of them has, an error also where one of ten has it, in the order in which it happened; a step that failed
          comes after what happened while it ran. Numbers and ids are not compared, nor are scripts, styles and images
          that were loaded. The first difference need not be the reason.
        </p>
      </details>
    </div>
  );
};

/** Of a result without details there is nothing to say. */
const isTold = ({ told, differences }: FirstDifference): boolean =>
  differences.length > 0 || [told.steps, told.requests, told.console].some(({ here }) => here);

const isCompared = ({ told }: FirstDifference): boolean =>
  [told.steps, told.requests, told.console].some(({ here, results }) => here && results > 0);

const TABS = { step: 'steps', request: 'requests', console: 'console', version: null, environment: null } as const;

const Line = ({ id, difference }: { readonly id: number; readonly difference: ExecutionDifference }) => {
  const { kind, change, what, atMs } = difference;
  const [before, after] = differenceWords(difference);
  const tab = change === 'missing' ? null : TABS[kind];
  const named = <code className={styles['what']}>{what}</code>;
  return (
    <>
      <p>
        {before} {tab === null ? named : <Link to={paths.testCase(id, { tab })}>{named}</Link>} {after}
      </p>
      <p className={styles['aside']}>
        {alikeWords(difference)}
        {atMs !== null && ` · ${formatDuration(Math.max(0, atMs))} after the start`}
      </p>
    </>
  );
};
