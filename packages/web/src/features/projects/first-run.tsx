import { useLocation } from 'wouter';
import { useRights } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { curlCommand, playwrightSetUp, uploadCommand } from '../docs/snippets.ts';
import { ImportReports } from '../import/import-reports.tsx';
import styles from './first-run.module.css';

interface Props {
  /** The project that has none; without it there is no project either. */
  readonly projectName?: string;
}

/** What there is to see before the first run: how to send it. */
export const FirstRun = ({ projectName }: Props) => {
  const { authEnabled, submitter } = useRights();
  const { origin } = window.location;
  const [, navigate] = useLocation();
  return (
    <Panel title={projectName === undefined ? 'Send your first run' : 'No runs'} padded>
      <div className={styles['steps']}>
        {projectName === undefined ? (
          <p>No runs yet. The first run that names a project creates it, and it appears here right away.</p>
        ) : (
          <p>This project has no runs. The next run that is sent to it appears here right away.</p>
        )}
        {authEnabled && (
          <p>
            Authentication is enabled: create an <Link to={paths.keys()}>API key</Link> first and set{' '}
            <code>ASSAY_API_KEY</code> to it.
          </p>
        )}
        {submitter && (
          <>
            <h3>Import reports that you have</h3>
            <ImportReports projectName={projectName} onDone={({ testRunId }) => navigate(paths.run(testRunId))} />
          </>
        )}
        <h3>Try it from a terminal</h3>
        <CodeBlock what="the command" text={curlCommand(origin, authEnabled, projectName)} />
        <h3>From Playwright, with steps, reports and traces</h3>
        <CodeBlock what="the Playwright configuration" text={playwrightSetUp(origin, projectName)} />
        <h3>From any other tool: JUnit XML, CTRF, Jest, Vitest, Go, TAP</h3>
        <CodeBlock what="the command that uploads" text={uploadCommand(origin, projectName)} />
        <p>
          More tools and CI systems are under <Link to={paths.send({ project: projectName })}>Send runs</Link>;
          everything a run can contain is in the <Link to={paths.docs()}>API documentation</Link>.
        </p>
      </div>
    </Panel>
  );
};
