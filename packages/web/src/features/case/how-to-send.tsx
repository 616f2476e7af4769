import { paths } from '../../paths.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './how-to-send.module.css';

const EXAMPLE = `{
  "title": "pays by card", "status": "failed", "duration": 2600,
  "steps": [
    {"title": "Open the basket", "duration": 400, "category": "test.step"},
    {"title": "Click Pay", "duration": 2200, "category": "pw:api", "error": "no answer"}
  ],
  "networkRequests": [
    {"method": "POST", "url": "https://shop.test/api/orders", "status": 502, "duration": 2100}
  ],
  "webVitals": {"lcp": 1800, "cls": 0.02, "inp": 120},
  "console": [{"type": "error", "text": "order failed", "location": "https://shop.test/app.js:8"}]
}`;

/** What a result without details says in their place. */
export const HowToSend = () => (
  <Panel title="No details for this result" padded>
    <div className={styles['text']}>
      <p>
        It was submitted without steps, requests, web vitals, attachments or a trace. Upload a Playwright trace with the
        run as <code>trace_0</code> for its first test case, <code>trace_1</code> for the second and so on: steps,
        requests and console messages are read from it. Screenshots, videos and other files go along as{' '}
        <code>attachment_0</code> and so on. Or send them with the test case yourself:
      </p>
      <CodeBlock what="the test case" text={EXAMPLE} />
      <p>
        All fields are in the <Link to={paths.docs()}>API documentation</Link>.
      </p>
    </div>
  </Panel>
);
