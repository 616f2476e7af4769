import { useLocation } from 'wouter';
import { useAddressPart } from '../../address.ts';
import { useRights } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ImportReports } from '../import/import-reports.tsx';
import { sendersOf } from './senders.ts';
import styles from './send-page.module.css';

/** How runs get here, from every tool and CI system, with commands of this very service. */
export const SendPage = () => {
  const { authEnabled, submitter } = useRights();
  const [projectName] = useAddressPart('project', 'shop');
  const [chosen] = useAddressPart('with', 'playwright');
  const [, navigate] = useLocation();
  const senders = sendersOf({ origin: window.location.origin, authEnabled, projectName });
  const current = senders.find(({ id }) => id === chosen) ?? senders[0]!;
  return (
    <Page title="Send runs" about="The first run that names a project creates it.">
      <Tabs
        label="Tools"
        tabs={senders.map(({ id, label }) => ({
          label,
          to: paths.send({ with: id, project: projectName === 'shop' ? undefined : projectName }),
          current: id === current.id,
        }))}
      />
      <Panel title={current.label} padded>
        <div className={styles['steps']}>
          {authEnabled && (
            <p>
              Authentication is enabled: create an <Link to={paths.keys()}>API key</Link> and set{' '}
              <code>ASSAY_API_KEY</code> to it where the tests run.
            </p>
          )}
          {current.steps.map(({ title, what, text }) => (
            <section key={title} aria-label={title}>
              <h3>{title}</h3>
              <CodeBlock what={what} text={text} />
            </section>
          ))}
          <p>
            The reporter and the command come from this service, so they work without the internet. Everything a run can
            contain is in the <Link to={paths.docs()}>API documentation</Link>.
          </p>
        </div>
      </Panel>
      {submitter && (
        <Panel title="Or import reports that you have" padded>
          <ImportReports projectName={undefined} onDone={({ testRunId }) => navigate(paths.run(testRunId))} />
        </Panel>
      )}
    </Page>
  );
};
