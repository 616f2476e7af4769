import { useQuery } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProjectFrame } from '../project/project-frame.tsx';
import { projectQuery } from '../project/project-query.ts';
import { useWindow } from '../window/window.ts';
import { OUTCOMES } from './sort-tests.ts';
import { TestList } from './test-list.tsx';
import { useTests } from './use-tests.ts';

export const TestsPage = ({ id }: { readonly id: number }) => {
  const chosen = useWindow(id);
  const { data: project } = useQuery(projectQuery(id));
  const query = useTests(id, chosen);
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
            <TestList tests={tests} words={chosen.words} view={OUTCOMES} />
          )
        }
      </Loaded>
    </ProjectFrame>
  );
};
