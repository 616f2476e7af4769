import type { ResultRef, TestDetails } from '@assay/contract';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatCount, formatShare } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Link } from '../../ui/link.tsx';
import { Time } from '../../ui/time.tsx';

export const TestFigures = ({ test }: { readonly test: TestDetails }) => {
  const { totalRuns, passedRuns, failedRuns, skippedRuns, flakyRuns, avgDuration } = test;
  const ran = passedRuns + failedRuns;
  return (
    <Figures>
      <Figure label="Results" value={formatCount(totalRuns)} note={skippedRuns > 0 && `${skippedRuns} skipped`} />
      <Figure
        label="Pass rate"
        value={formatShare(ran > 0 ? passedRuns / ran : null)}
        note={`${formatCount(failedRuns)} failed`}
      />
      <Figure
        label="Flaky rate"
        value={formatShare(ran > 0 ? flakyRuns / ran : null)}
        note={countOf(flakyRuns, 'flaky result')}
      />
      <Figure label="Average" value={formatDuration(avgDuration)} />
      <Moment label="First seen" result={test.firstSeen} none="–" />
      <Moment label="Last passed" result={test.lastPassed} none="Never" />
      <Moment label="Last failed" result={test.lastFailed} none="Never" />
    </Figures>
  );
};

interface MomentProps {
  readonly label: string;
  readonly result: ResultRef | null;
  readonly none: string;
}

const Moment = ({ label, result, none }: MomentProps) =>
  result ? (
    <Figure
      label={label}
      value={<Time value={result.startTime} />}
      note={
        <>
          in <Link to={paths.testCase(result.testCaseId)}>#{result.testRunId}</Link>
        </>
      }
    />
  ) : (
    <Figure label={label} value={none} />
  );
