import type { TestCaseDetails } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useAddressPart } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DifferencePanel } from '../first-difference/difference-panel.tsx';
import { RunAgain } from '../rerun/rerun-dialog.tsx';
import { FilesRemoved } from '../retention/files-removed.tsx';
import { NotRunWords } from '../status/not-run.tsx';
import { lookOfCase, markOf } from '../status/outcome.ts';
import { TestTitle } from '../test/test-title.tsx';
import { splitTitle } from '../test/title.ts';
import { CaseFacts } from './case-facts.tsx';
import { CaseSection } from './case-section.tsx';
import { FailureNeighbours } from './failure-neighbours.tsx';
import { HowToSend } from './how-to-send.tsx';
import { OnDefault } from './on-default.tsx';
import { PastPanel } from './past-panel.tsx';
import { sectionsOf } from './sections.ts';

const WHILE_TRACES_WAIT_MS = 2_000;

/** One result of a test in one run. */
export const CasePage = ({ id }: { readonly id: number }) => {
  const query = useQuery({
    ...ask('getTestCase', { params: { id } }),
    refetchInterval: ({ state }) =>
      state.data?.traces.some((trace) => trace.state === 'waiting') ? WHILE_TRACES_WAIT_MS : false,
  });
  const result = query.data;
  if (!result) {
    return (
      <Page title={`Result ${id}`} crumbs={[{ label: 'Projects', to: paths.projects() }]}>
        <Loaded query={query}>{() => null}</Loaded>
      </Page>
    );
  }
  const { testRun } = result;
  return (
    <Page
      title={splitTitle(result.title).name}
      mark={markOf(lookOfCase(result.status, result.retries))}
      heading={<TestTitle title={result.title} projectId={result.testRun.project.id} />}
      crumbs={[
        { label: testRun.project.label ?? testRun.project.name, to: paths.project(testRun.project.id) },
        { label: `Run #${testRun.id}`, to: paths.run(testRun.id) },
      ]}
      about={<CaseFacts result={result} />}
      actions={<CaseActions result={result} />}
    >
      {result.notRun && (
        <Notice>
          <NotRunWords notRun={result.notRun} causeId={result.notRun.testCaseId} />
        </Notice>
      )}
      <FilesRemoved at={testRun.filesRemovedAt} />
      <OnDefault result={result} />
      <DifferencePanel result={result} />
      <PastPanel result={result} />
      <CaseSections result={result} />
    </Page>
  );
};

const CaseActions = ({ result }: { readonly result: TestCaseDetails }) => {
  const { id, testId, traces, testRun } = result;
  const trace = traces.findLast(({ state }) => state !== 'broken');
  return (
    <>
      <FailureNeighbours result={result} />
      <RunAgain projectId={testRun.projectId} metadata={testRun.metadata} selected={[result]} what="this test" />
      {trace && (
        <Link
          to={paths.testCase(id, { tab: 'traces', trace: String(trace.id) })}
          className={buttonClass({ look: 'primary' })}
        >
          <Icon name="screen" />
          Open trace
        </Link>
      )}
      <Link to={paths.test(testId)} className={buttonClass({})}>
        All results of this test
      </Link>
    </>
  );
};

const CaseSections = ({ result }: { readonly result: TestCaseDetails }) => {
  const sections = sectionsOf(result);
  const first = sections[0];
  const [tab] = useAddressPart('tab', first?.name ?? '');
  const current = sections.find(({ name }) => name === tab) ?? first;
  return (
    <>
      {sections.length > 1 && (
        <Tabs
          label="Result sections"
          tabs={sections.map(({ name, label, count }) => ({
            label,
            count,
            to: paths.testCase(result.id, { tab: name === first?.name ? undefined : name }),
            current: name === current?.name,
          }))}
        />
      )}
      {current && <CaseSection name={current.name} result={result} />}
      {sections.length === 0 && result.testRun.filesRemovedAt === undefined && <HowToSend />}
    </>
  );
};
