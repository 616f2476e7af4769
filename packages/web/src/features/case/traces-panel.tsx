import type { Trace } from '@assay/contract';
import { useAddressPart } from '../../address.ts';
import { countOf, formatBytes } from '../../format/number.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TraceViewer } from './trace-viewer.tsx';
import styles from './traces-panel.module.css';

/** The traces of a result; the one in the address is open. */
export const TracesPanel = ({ traces }: { readonly traces: readonly Trace[] }) => {
  const [chosen, choose] = useAddressPart('trace', '');
  const viewable = window.isSecureContext;
  const open = viewable ? traces.find(({ id }) => String(id) === chosen) : undefined;
  return (
    <>
      {!viewable && <CannotView />}
      <Panel title="Traces" note={countOf(traces.length, 'trace')}>
        <ul>
          {traces.map((trace, at) => (
            <li key={trace.id} className={styles['trace']}>
              <span className={styles['name']}>
                <strong>{traces.length > 1 ? `Trace ${at + 1}` : 'Trace'}</strong>
                <span className={styles['about']}>
                  {formatBytes(trace.size)}
                  {STATES[trace.state]}
                </span>
              </span>
              <span className={styles['tools']}>
                {viewable && (
                  <>
                    <Button
                      look={trace === open || trace.state === 'broken' ? 'plain' : 'primary'}
                      aria-expanded={trace === open}
                      onClick={() => choose(trace === open ? '' : String(trace.id))}
                    >
                      {trace === open ? 'Close' : 'Open'}
                    </Button>
                    <a className={buttonClass({})} href={trace.url} target="_blank" rel="noreferrer">
                      <Icon name="outside" size={14} />
                      Open in a new tab
                    </a>
                  </>
                )}
                <a className={buttonClass({})} href={fileUrl(trace)} download={`trace-${trace.id}.zip`}>
                  <Icon name="download" size={14} />
                  Download
                </a>
              </span>
              {trace.state === 'broken' && (
                <div className={styles['problem']}>
                  <Notice tone="warn" title="This trace could not be read">
                    {trace.problem ?? 'Nothing is known about why.'} Steps, requests and console messages are missing
                    from this result. Download it to look at it with Playwright, or upload the run again.
                  </Notice>
                </div>
              )}
            </li>
          ))}
        </ul>
      </Panel>
      {open && <TraceViewer key={open.id} url={open.url} />}
    </>
  );
};

const STATES: Record<Trace['state'], string> = {
  waiting: ' · being read: its steps and requests appear here soon',
  read: '',
  broken: ' · broken',
};

const fileUrl = ({ path }: Trace): string => `/api/files/${path.split('/').map(encodeURIComponent).join('/')}`;

const CannotView = () => (
  <Notice title="The trace viewer needs a secure address">
    <div className={styles['insecure']}>
      <p>
        Browsers run it on HTTPS or on localhost only, and this page came over plain HTTP from{' '}
        <code>{window.location.host}</code>. Download the trace and open it with Playwright, or ask whoever runs the
        service to put it behind HTTPS.
      </p>
      <CodeBlock what="the command" text="npx playwright show-trace trace.zip" />
    </div>
  </Notice>
);
