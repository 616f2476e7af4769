import { outcomeOf, type RunComparison, type RunDetails } from '@assay/contract';
import { type ReactNode, useMemo } from 'react';
import { useRights } from '../../api/session.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { RunAgain } from '../rerun/rerun-dialog.tsx';
import { pullRequestOf, repositoryOf } from '../revision/repository.ts';
import { shortCommit } from '../revision/short-commit.ts';
import { lookOfRun, markOf } from '../status/outcome.ts';
import { StatusBadge } from '../status/status-mark.tsx';
import { DeleteRun } from './delete-run.tsx';
import { DownloadRun } from './download-run.tsx';
import { PinRun } from './pin-run.tsx';
import { againstUsual, factsOf, highlightsOf } from './run-facts.ts';
import { RunNeighbours } from './run-neighbours.tsx';
import { RunProgress } from './run-progress.tsx';
import { missingShards } from './run-shards.tsx';
import styles from './run-header.module.css';

interface Props {
  readonly run: RunDetails;
  readonly comparison: RunComparison | undefined;
  readonly children: ReactNode;
}

export const RunHeader = ({ run, comparison, children }: Props) => {
  const { id, project, testCases } = run;
  const failures = useMemo(() => testCases.filter(({ status }) => outcomeOf(status) === 'failed'), [testCases]);
  const { administrator, submitter } = useRights();
  const name = project.label ?? project.name;
  return (
    <Page
      title={`Run #${id} · ${name}`}
      mark={markOf(lookOfRun(run.status))}
      heading={
        <span className={styles['heading']} data-project={project.id}>
          Run #{id} <StatusBadge status={run.status} />
        </span>
      }
      crumbs={[
        { label: 'Projects', to: paths.projects() },
        { label: name, to: paths.project(project.id) },
      ]}
      about={<RunFacts run={run} usual={comparison?.usualDuration} />}
      actions={
        <>
          <RunNeighbours comparison={comparison} />
          {failures.length > 0 && (
            <RunAgain
              projectId={project.id}
              metadata={run.metadata}
              selected={failures}
              all={run.testCases}
              what={countOf(failures.length, 'failure')}
            />
          )}
          <Link to={paths.runCompare(id)} className={buttonClass({})}>
            Compare
          </Link>
          <Link to={paths.runTimeline(id)} className={buttonClass({})}>
            Timeline
          </Link>
          <Link to={paths.runNetwork(id)} className={buttonClass({})}>
            Network
          </Link>
          <DownloadRun id={id} />
          {submitter && <PinRun run={run} />}
          {administrator && <DeleteRun run={run} />}
        </>
      }
    >
      {children}
    </Page>
  );
};

const RunFacts = ({ run, usual }: { readonly run: RunDetails; readonly usual: number | null | undefined }) => {
  const running = run.status === 'running';
  const compared = againstUsual(run.duration, usual);
  const missing = missingShards(run);
  const { author, message, link } = highlightsOf(factsOf(run.metadata));
  const repository = repositoryOf(run.project.repositoryUrl, run.metadata);
  const pullRequest = pullRequestOf(run.metadata, repository);
  return (
    <>
      <span>
        Started <Time value={run.startTime} />
      </span>
      {running && <RunProgress run={run} />}
      {!running && missing && <span className={styles['missing']}>{missing}</span>}
      {!running && run.duration !== null && (
        <span title={usual ? `Usually ${formatDuration(usual)}` : undefined}>
          {formatDuration(run.duration)}
          {compared && ', '}
          {compared && <span className={classNames(compared.slower && styles['slower'])}>{compared.words}</span>}
        </span>
      )}
      {run.branch && (
        <span className={styles['fact']}>
          <Icon name="branch" size={14} />
          <span className="unseen">Branch</span> {run.branch}
        </span>
      )}
      {run.commit && (
        <span className={styles['fact']}>
          <Icon name="commit" size={14} />
          <span className="unseen">Commit</span>{' '}
          <code title={run.commit}>
            <OutsideLink href={repository?.commit(run.commit) ?? null}>{shortCommit(run.commit)}</OutsideLink>
          </code>
          <CopyButton text={run.commit} what="the commit" />
        </span>
      )}
      {run.pinned && (
        <span className={styles['fact']} title="Retention deletes neither it nor its files">
          <Icon name="pinned" size={14} /> Pinned
        </span>
      )}
      {run.environment && <span>On {run.environment}</span>}
      {run.filtered && (
        <span title="Its command named files or a pattern: tests that it lacks were not asked for">
          Only some tests
        </span>
      )}
      {pullRequest && <OutsideLink href={pullRequest.href}>{pullRequest.words}</OutsideLink>}
      {author && (
        <span className={styles['fact']}>
          <Icon name="person" size={14} />
          <span className="unseen">Author</span> {author}
        </span>
      )}
      {message && <span className={styles['message']}>{message}</span>}
      {link && (
        <span className={styles['fact']}>
          <OutsideLink href={link.href}>{link.text}</OutsideLink>
        </span>
      )}
    </>
  );
};
