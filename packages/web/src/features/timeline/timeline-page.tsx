import type { RunDetails } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useAddressPart } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatCount, formatShare } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { StatusBadge } from '../status/status-mark.tsx';
import { durationMsOf, findCriticalRow, isRun, type Layout, layOut, type Row } from './layout.ts';
import { NoTimes } from './no-times.tsx';
import { SelectedResult } from './selected-result.tsx';
import { TimelineChart } from './timeline-chart.tsx';
import { figuresOf, isImplausible, type TimelineFigures } from './timeline-figures.ts';
import { LongestResults, Workers } from './timeline-tables.tsx';

/** The same answer as the page of the run has, which hardly changes. */
const FRESH_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;

/** When each result of a run ran, and on which worker. */
export const TimelinePage = ({ id }: { readonly id: number }) => {
  const query = useQuery({ ...ask('getRun', { params: { id }, query: { details: false } }), staleTime: FRESH_MS });
  const run = query.data;
  return (
    <Page
      title={`Timeline of run #${id}`}
      heading={<span data-project={run?.project.id}>Timeline of run #{id}</span>}
      crumbs={[
        ...(run ? [{ label: run.project.label ?? run.project.name, to: paths.project(run.project.id) }] : []),
        { label: `Run #${id}`, to: paths.run(id) },
      ]}
      about={
        run && (
          <>
            <StatusBadge status={run.status} />
            <span>{formatDuration(run.duration)}</span>
            <Time value={run.startTime} />
          </>
        )
      }
      actions={
        <Link to={paths.run(id)} className={buttonClass({})}>
          <Icon name="arrowLeft" size={14} />
          Back to run
        </Link>
      }
    >
      <Loaded query={query} rows={12}>
        {(run) => <Timeline run={run} />}
      </Loaded>
    </Page>
  );
};

const Timeline = ({ run }: { readonly run: RunDetails }) => {
  const { testCases } = run;
  const layout = useMemo(() => layOut(testCases), [testCases]);
  const figures = useMemo(() => figuresOf(layout, run), [layout, run]);
  const critical = useMemo(() => (figures.workers ? findCriticalRow(layout) : null), [layout, figures]);
  const [resultId, setResult] = useAddressPart('result', '');
  const [, navigate] = useLocation();
  const selected = useMemo(
    () => layout.bars.find(({ result }) => String(result.id) === resultId) ?? null,
    [layout, resultId],
  );
  if (layout.bars.length === 0) return <NoTimes results={testCases.length} />;
  const clear = (): void => setResult('', { replace: true });
  return (
    <>
      <FiguresOfTime layout={layout} figures={figures} critical={critical} running={run.status === 'running'} />
      <Notices run={run} layout={layout} />
      <TimelineChart
        layout={layout}
        critical={critical}
        selected={selected}
        onSelect={(bar) => setResult(bar ? String(bar.result.id) : '', { replace: true })}
        onOpen={({ result }) => navigate(paths.testCase(result.id))}
      />
      {selected && <SelectedResult key={selected.result.id} layout={layout} bar={selected} onClose={clear} />}
      {figures.workers && <Workers layout={layout} />}
      <LongestResults layout={layout} />
    </>
  );
};

interface FiguresProps {
  readonly layout: Layout;
  readonly figures: TimelineFigures;
  readonly critical: Row | null;
  readonly running: boolean;
}

const FiguresOfTime = ({ layout, figures, critical, running }: FiguresProps) => {
  const { testMs, earlierMs, wallMs, parallel, workers } = figures;
  const savedMs = workers && wallMs !== null ? wallMs - workers.atBestMs : 0;
  return (
    <Figures>
      {wallMs !== null && (
        <Figure
          label="Wall time"
          value={formatDuration(wallMs)}
          note={running ? 'so far' : 'first start to last end'}
        />
      )}
      <Figure
        label="Test time"
        value={formatDuration(testMs)}
        note={
          earlierMs > 0
            ? `${formatDuration(earlierMs)} before the last try`
            : countOf(layout.bars.filter(isRun).length, 'result')
        }
      />
      {parallel !== null && (
        <Figure
          label="In parallel"
          value={parallel < 100 ? parallel.toFixed(1) : formatCount(parallel)}
          note={workers ? `of ${countOf(workers.count, 'worker')}` : 'on average'}
        />
      )}
      {workers && (
        <Figure label="Idle" value={formatShare(workers.idleShare)} note={`${formatDuration(workers.idleMs)} in all`} />
      )}
      {critical && (
        <Figure
          label="Critical path"
          value={critical.name}
          note={`${countOf(critical.bars.filter(isRun).length, 'result')}, ${formatDuration(critical.bars.reduce((sum, bar) => sum + durationMsOf(bar), 0))}`}
        />
      )}
      {workers && (
        <Figure
          label="Spread evenly"
          value={formatDuration(workers.atBestMs)}
          note={savedMs < 1 ? 'nothing to gain' : `${formatDuration(savedMs)} less`}
        />
      )}
    </Figures>
  );
};

/** What keeps the drawing from being the whole truth. */
const Notices = ({ run, layout }: { readonly run: RunDetails; readonly layout: Layout }) => {
  const { withoutStart, overlapping, workersKnown, spanMs } = layout;
  const sharded = (run.shards?.total ?? 1) > 1;
  return (
    <>
      {isImplausible(layout, run) && (
        <Notice tone="warn" title="The times of this run are implausible">
          Its results lie {spanMs > 2 * DAY_MS ? countOf(Math.round(spanMs / DAY_MS), 'day') : formatDuration(spanMs)}{' '}
          apart
          {run.duration === null ? '' : `, but it took ${formatDuration(run.duration)}`}: a clock was wrong, or parts of
          it ran again later. They are drawn as they were sent; figures that depend on their times are left out.
        </Notice>
      )}
      {withoutStart > 0 && (
        <Notice>
          {formatCount(withoutStart)} of {countOf(run.testCases.length, 'result')} {withoutStart === 1 ? 'has' : 'have'}{' '}
          no start time and {withoutStart === 1 ? 'is' : 'are'} not shown.
        </Notice>
      )}
      {(sharded || overlapping) && (
        <Notice>
          {sharded
            ? `Each of the ${run.shards!.total} shards has workers of its own and began when there was a machine for it. `
            : ''}
          {overlapping ? 'Results that overlap on one worker are in further rows. ' : ''}
          Idle time and critical path of the run are therefore not told.
        </Notice>
      )}
      {!workersKnown && !sharded && !overlapping && layout.bars.some(isRun) && (
        <Notice>
          Not all results say which worker ran them (<code>lane</code>): idle time and critical path are not known.
        </Notice>
      )}
    </>
  );
};
