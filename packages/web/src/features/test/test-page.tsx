import { type TestDetails, UNKNOWN_FILE } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useAddressChoice } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { DurationPanel } from './duration-panel.tsx';
import { ErrorGroups } from './error-groups.tsx';
import { FilePlace } from './file-place.tsx';
import { ResultList } from './result-list.tsx';
import { TestFigures } from './test-figures.tsx';
import { TestTitle } from './test-title.tsx';
import { splitTitle } from './title.ts';

const MOST_RESULTS = 1000;
const EXTENTS = ['latest', 'more'] as const;

/** One test over all its runs. */
export const TestPage = ({ id }: { readonly id: number }) => {
  const [extent, setExtent] = useAddressChoice('results', EXTENTS, 'latest');
  const query = useQuery(ask('getTest', { params: { id }, query: extent === 'more' ? { limit: MOST_RESULTS } : {} }));
  const test = query.data;
  if (!test) {
    return (
      <Page title={`Test ${id}`} crumbs={[{ label: 'Projects', to: paths.projects() }]}>
        <Loaded query={query}>{() => null}</Loaded>
      </Page>
    );
  }
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
        </>
      }
    >
      <TestFigures test={test} />
      <DurationPanel results={test.results} />
      {test.errors.length > 0 && <ErrorGroups groups={test.errors} />}
      <ResultList
        results={test.results}
        total={test.totalRuns}
        onMore={test.totalRuns > test.results.length && extent === 'latest' ? onMore : null}
      />
    </Page>
  );
};

const crumbsOf = ({ project }: TestDetails) => [
  { label: project.label ?? project.name, to: paths.project(project.id) },
  { label: 'Tests', to: paths.tests(project.id) },
];
