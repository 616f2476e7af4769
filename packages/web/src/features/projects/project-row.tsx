import type { Project } from '@assay/contract';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatShare } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { classNames } from '../../ui/class-names.ts';
import { Elapsed } from '../../ui/elapsed.tsx';
import { Link } from '../../ui/link.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Time } from '../../ui/time.tsx';
import { CountBar } from '../status/count-bar.tsx';
import { passRate } from '../status/outcome.ts';
import { RunMark } from '../status/status-mark.tsx';
import { tellingRun } from './arrange-projects.ts';
import styles from './projects-page.module.css';

export const ProjectRow = ({ project }: { readonly project: Project }) => {
  const { latestRun, defaultBranch, recentRuns = [] } = project;
  const run = tellingRun(project);
  const rates = recentRuns.map(passRate);
  const durations = recentRuns.map(({ duration }) => duration);
  return (
    <Link to={paths.project(project.id)} className={styles['row']}>
      <span className={styles['name']}>
        {run && <RunMark status={run.status} size={18} />}
        <span>
          <strong>{project.label ?? project.name}</strong>
          <span className={styles['small']}>
            {countOf(project.totalRuns, 'run')} · {countOf(project.totalTestCases, 'test')}
          </span>
          {project.tags.length > 0 && (
            <span className={styles['tags']}>
              {project.tags.map((tag) => (
                <span key={tag}>{tag}</span>
              ))}
            </span>
          )}
        </span>
      </span>
      {run ? (
        <>
          <span className={styles['run']}>
            <CountBar {...run} />
            <span className={styles['small']}>
              #{run.id}
              {ofBranch(run.branch)}
              {run.status === 'running' && ' · running'}
              {run.failedTests > 0 && ` · ${run.failedTests} failed`}
            </span>
            {latestRun!.id !== run.id && (
              <span className={styles['small']}>
                Newer: #{latestRun!.id}
                {ofBranch(latestRun!.branch)}
              </span>
            )}
          </span>
          <span className={classNames(styles['series'], styles['rate'])}>
            <Sparkline
              values={rates}
              from={Math.min(0.9, ...rates.filter((rate) => rate !== null))}
              to={1}
              colour="var(--passed-fill)"
              width={72}
              label={`Pass rate of the latest ${recentRuns.length} runs${ofBranch(defaultBranch)}, now ${formatShare(rates.at(-1) ?? null)}`}
            />
            {formatShare(passRate(run))}
          </span>
          <span className={classNames(styles['series'], styles['duration'])}>
            <Sparkline
              values={durations}
              from={0}
              width={88}
              label={`Durations of the latest ${recentRuns.length} runs${ofBranch(defaultBranch)}, now ${formatDuration(run.duration)}`}
            />
            {run.status === 'running' ? <Elapsed since={run.startTime} /> : formatDuration(run.duration)}
          </span>
          <span className={classNames(styles['end'], styles['flakyCount'])}>
            {run.flakyTests > 0 && <span className={styles['flaky']}>{run.flakyTests} flaky</span>}
          </span>
          <span className={classNames(styles['end'], styles['activity'])}>
            <Time value={latestRun!.startTime} />
          </span>
        </>
      ) : (
        <span className={styles['small']}>No run yet</span>
      )}
    </Link>
  );
};

const ofBranch = (branch: string | null): string => (branch === null ? '' : ` on ${branch}`);
