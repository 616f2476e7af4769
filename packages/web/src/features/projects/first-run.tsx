import { useLocation } from 'wouter';
import { useRights } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
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
          <p>All runs of this project were deleted. The next run appears here right away.</p>
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
          Everything a run can contain is in the <Link to={paths.docs()}>API documentation</Link>.
        </p>
      </div>
    </Panel>
  );
};

const keyHeader = (authEnabled: boolean): string =>
  authEnabled ? ` \\\n  -H "Authorization: Bearer $ASSAY_API_KEY"` : '';

/** Inside single quotes of a shell. */
const inQuotes = (text: string): string => text.replaceAll("'", `'\\''`);

const curlCommand = (
  origin: string,
  authEnabled: boolean,
  projectName = 'shop',
): string => `curl ${origin}/api/test-runs/submit${keyHeader(authEnabled)} \\
  -H 'Content-Type: application/json' \\
  -d '{
    "projectName": ${inQuotes(JSON.stringify(projectName))},
    "status": "failed",
    "startTime": "${new Date().toISOString()}",
    "testCases": [
      {"title": "signs in", "status": "passed", "duration": 420, "location": "tests/account.spec.ts:12:3"},
      {"title": "pays by card", "status": "failed", "duration": 2600, "location": "tests/checkout.spec.ts:8:3",
       "error": "expected 200, got 502"}
    ]
  }'`;

const playwrightSetUp = (origin: string, projectName = 'shop'): string => `// npm install --save-dev @assay/reporter
// playwright.config.ts
reporter: [
  ['list'],
  ['html'],
  ['@assay/reporter', { serverUrl: '${origin}', projectName: ${JSON.stringify(projectName)} }],
],`;

const uploadCommand = (origin: string, projectName = 'shop'): string =>
  `npx -p @assay/reporter assay upload test-results --url ${origin} --project '${inQuotes(projectName)}'`;
