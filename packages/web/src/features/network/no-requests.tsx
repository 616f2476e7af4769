import { paths } from '../../paths.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './no-requests.module.css';

const EXAMPLE = `"networkRequests": [
  {"method": "GET", "url": "https://shop.test/api/items/7", "status": 200, "duration": 84, "resourceType": "fetch"}
]`;

/** Why there are none, and how they get in. */
export const NoRequests = () => (
  <Panel title="No requests recorded for this run" padded>
    <div className={styles['text']}>
      <p>
        Requests come from the Playwright traces uploaded with a run, as <code>trace_0</code>, <code>trace_1</code> and
        so on. Without traces, send them with each test case:
      </p>
      <CodeBlock what="the field" text={EXAMPLE} />
      <p>
        Images, fonts, styles and scripts are not counted. All fields are in the{' '}
        <Link to={paths.docs()}>API documentation</Link>.
      </p>
    </div>
  </Panel>
);
