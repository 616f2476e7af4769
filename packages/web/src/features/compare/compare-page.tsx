import type { RunDetails, RunDifferences, RunRef } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useAddressPart } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { formatDuration } from '../../format/duration.ts';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { InlineSelect } from '../../ui/inline-select.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { Revision } from '../revision/revision.tsx';
import { StatusBadge } from '../status/status-mark.tsx';
import {
  CHOICES,
  aboutDurations,
  environmentIn,
  environmentOption,
  inShort,
  optionOf,
  unofferedOption,
  whyNone,
} from './choices.ts';
import { CommitsOfBoth } from './commits-of-both.tsx';
import { DifferencePanels } from './difference-panels.tsx';
import styles from './compare-page.module.css';

/** How many of the latest runs can be chosen from. */
const OFFERED_RUNS = 50;

/** A run beside any other of its project; the address names both. */
export const ComparePage = ({ id }: { readonly id: number }) => {
  const [chosen, choose] = useAddressPart('with', 'previous');
  const { data: run } = useQuery(ask('getRun', { params: { id }, query: { details: false, limit: 1 } }));
  const query = useQuery(ask('listDifferences', { params: { id }, query: { with: chosen } }));
  return (
    <Page
      title={`Run #${id} compared`}
      heading={<span data-project={run?.project.id}>Run #{id} compared</span>}
      crumbs={[
        ...(run ? [{ label: run.project.label ?? run.project.name, to: paths.project(run.project.id) }] : []),
        { label: `Run #${id}`, to: paths.run(id) },
      ]}
      actions={
        <>
          {run && (
            <OtherRun
              projectId={run.project.id}
              runId={id}
              environments={query.data?.environments ?? []}
              chosen={chosen}
              onChoose={choose}
            />
          )}
          <Link to={paths.run(id)} className={buttonClass({})}>
            <Icon name="arrowLeft" size={14} />
            Back to run
          </Link>
        </>
      }
    >
      <Loaded query={query} rows={10}>
        {(found) => <Differences found={found} environment={environmentIn(chosen)} run={run} />}
      </Loaded>
    </Page>
  );
};

interface OtherRunProps {
  readonly projectId: number;
  readonly runId: number;
  readonly environments: readonly string[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}

const OtherRun = ({ projectId, runId, environments, chosen, onChoose }: OtherRunProps) => {
  const { data } = useQuery(ask('getProject', { params: { id: projectId }, query: { limit: OFFERED_RUNS } }));
  const runs = (data?.testRuns ?? []).filter(({ id }) => id !== runId).map(optionOf);
  const named = [...CHOICES, ...environments.map(environmentOption)];
  const isOffered = [...named, ...runs].some(({ value }) => value === chosen);
  const options = [...named, ...(isOffered ? [] : [unofferedOption(chosen)]), ...runs];
  return <InlineSelect label="With" value={chosen} options={options} onChange={onChoose} />;
};

interface DifferencesProps {
  readonly found: RunDifferences;
  /** Of the other run, where it was chosen by that. */
  readonly environment: string | null;
  /** Undefined until it is known. */
  readonly run: RunDetails | undefined;
}

const Differences = ({ found, environment, run: details }: DifferencesProps) => {
  const { run, other, otherBy } = found;
  if (other === null) {
    return (
      <Panel>
        <Empty title="There is no run to compare with">
          <p>{whyNone(otherBy, environment)}</p>
        </Empty>
      </Panel>
    );
  }
  const durations = aboutDurations(found);
  return (
    <>
      <div className={styles['sides']}>
        <RunSide title="This run" run={run} />
        <RunSide title={environment === null ? 'Compared with' : `Compared with ${environment}`} run={other} />
      </div>
      {run.status === 'running' && (
        <Notice>This run has not ended: tests that have not run yet count as only in the other one.</Notice>
      )}
      {details?.filtered === true && (
        <Notice>Only some of the tests were asked for in this run: what only the other one has was left out.</Notice>
      )}
      <p>{inShort(found)}</p>
      {details && <CommitsOfBoth project={details.project} here={run} there={other} />}
      <DifferencePanels found={found} otherId={other.id} />
      {durations && <p className={styles['durations']}>{durations}</p>}
    </>
  );
};

const RunSide = ({ title, run }: { readonly title: string; readonly run: RunRef }) => (
  <section className={styles['side']} aria-label={title}>
    <h2>{title}</h2>
    <p className={styles['facts']}>
      <Link to={paths.run(run.id)}>Run #{run.id}</Link>
      <StatusBadge status={run.status} />
      <span>{formatDuration(run.duration)}</span>
      <Time value={run.startTime} />
    </p>
    <p className={styles['facts']}>
      <Revision branch={run.branch} commit={run.commit} />
    </p>
  </section>
);
