import { type TestDetails, type TestSince, UNKNOWN_FILE } from '@assay/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useAddressChoice } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { OwnedBy } from '../owners/owned-by.tsx';
import { repositoryOf } from '../revision/repository.ts';
import { ALL_TIME } from '../window/span.ts';
import { WindowBar } from '../window/window-bar.tsx';
import { type ChosenWindow, useWindow } from '../window/window.ts';
import { DurationPanel } from './duration-panel.tsx';
import { ErrorGroups } from './error-groups.tsx';
import { FilePlace } from './file-place.tsx';
import { FlakeFactorsPanel } from './flake-factors-panel.tsx';
import { FlakinessPanel } from './flakiness-panel.tsx';
import { ResultList } from './result-list.tsx';
import { SincePanel } from './since-panel.tsx';
import { TestFigures } from './test-figures.tsx';
import { TestTitle } from './test-title.tsx';
import { TestVerdict } from './test-verdict.tsx';
import { splitTitle } from './title.ts';

const MOST_RESULTS = 1000;
const EXTENTS = ['latest', 'more'] as const;

/** Which project a test is of decides on its default branch. */
export const TestPage = ({ id }: { readonly id: number }) => {
  const query = useQuery(ask('getTest', { params: { id }, query: { limit: 1 } }));
  if (query.data) return <TestOfProject test={query.data} />;
  return (
    <Page title={`Test ${id}`} crumbs={[{ label: 'Projects', to: paths.projects() }]}>
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  );
};

/** One test over its runs on a branch. */
const TestOfProject = ({ test: named }: { readonly test: TestDetails }) => {
  const { id, project } = named;
  const chosen = useWindow(project.id, ALL_TIME);
  const [extent, setExtent] = useAddressChoice('results', EXTENTS, 'latest');
  const query = useQuery({
    ...ask('getTest', {
      params: { id },
      query: { ...chosen.query, ...(extent === 'more' ? { limit: MOST_RESULTS } : {}) },
    }),
    enabled: chosen.query !== undefined,
    placeholderData: keepPreviousData,
  });
  const test = query.data ?? named;
  const onMore = (): void => setExtent('more');
  return (
    <Page
      title={splitTitle(test.title).name}
      heading={<TestTitle title={test.title} projectId={test.project.id} />}
      crumbs={crumbsOf(test)}
      about={
        <>
          {test.filePath !== UNKNOWN_FILE && <FilePlace place={test.filePath} />}
          {test.browser && <span>{test.browser}</span>}
          <OwnedBy owners={test.owners} projectId={test.project.id} />
        </>
      }
    >
      <WindowBar projectId={project.id} window={chosen} />
      <Loaded query={query} rows={8}>
        {() => <Told test={test} window={chosen} onMore={extent === 'latest' ? onMore : null} />}
      </Loaded>
    </Page>
  );
};

interface ToldProps {
  readonly test: TestDetails;
  readonly window: ChosenWindow;
  readonly onMore: (() => void) | null;
}

const Told = ({ test, window, onMore }: ToldProps) => {
  const isOfBranch = window.branch !== null || window.defaultBranch === null;
  const { data: since } = useQuery({
    ...ask('getTestSince', {
      params: { id: test.id },
      query: window.branch === null ? {} : { branch: window.branch },
    }),
    enabled: isOfBranch && window.query !== undefined,
  });
  const repository = repositoryOf(test.project.repositoryUrl);
  if (test.totalRuns === 0) {
    return (
      <Panel>
        <Empty title="No results">
          <p>This test did not run: {window.words}.</p>
        </Empty>
      </Panel>
    );
  }
  return (
    <>
      {isOfBranch && (
        <TestVerdict
          results={test.results}
          complete={window.span.text === ALL_TIME && test.results.length === test.totalRuns}
          branch={window.branch}
          repository={repository}
        />
      )}
      <TestFigures test={test} />
      {isOfBranch && since && (
        <>
          <SincePanel since={since} repository={repository} />
          <FlakinessPanel
            testId={test.id}
            projectId={test.project.id}
            branch={since.branch}
            evidence={since.evidence}
            repository={repository}
          />
          <FlakeFactorsPanel testId={test.id} branch={since.branch} />
        </>
      )}
      <DurationPanel results={test.results} changes={(isOfBranch && since?.durations) || NO_CHANGES} />
      {test.errors.length > 0 && <ErrorGroups groups={test.errors} />}
      <ResultList
        results={test.results}
        total={test.totalRuns}
        onMore={test.totalRuns > test.results.length ? onMore : null}
      />
    </>
  );
};

const NO_CHANGES: TestSince['durations'] = [];

const crumbsOf = ({ project }: TestDetails) => [
  { label: project.label ?? project.name, to: paths.project(project.id) },
  { label: 'Tests', to: paths.tests(project.id) },
];
