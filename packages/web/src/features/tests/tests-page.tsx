import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProjectFrame } from '../project/project-frame.tsx';
import { projectQuery } from '../project/project-query.ts';
import { useWindow } from '../window/window.ts';
import { TestList } from './test-list.tsx';

const HISTORY_RUNS = 30;
/** The figures of thousands of tests are not worth asking for on every visit; a new run says that they are old. */
const FRESH_MS = 60_000;

export const TestsPage = ({ id }: { readonly id: number }) => {
  const chosen = useWindow(id);
  const { data: project } = useQuery(projectQuery(id));
  const query = useQuery({
    ...ask('listTests', { params: { id }, query: { ...chosen.query, history: HISTORY_RUNS } }),
    enabled: chosen.query !== undefined,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
  return (
    <ProjectFrame projectId={id} title="Tests" window={chosen}>
      <Loaded query={query} rows={14}>
        {(tests) =>
          tests.length === 0 && project?.totalRuns !== 0 ? (
            <Panel>
              <Empty title="No tests">
                <p>No test ran: {chosen.words}.</p>
              </Empty>
            </Panel>
          ) : tests.length === 0 ? (
            <Panel>
              <Empty title="This project has no tests yet">
                <p>
                  A test is known from the first run that has a result of it. How to send one is in the{' '}
                  <Link to={paths.docs()}>API documentation</Link>.
                </p>
              </Empty>
            </Panel>
          ) : (
            <TestList tests={tests} words={chosen.words} />
          )
        }
      </Loaded>
    </ProjectFrame>
  );
};
