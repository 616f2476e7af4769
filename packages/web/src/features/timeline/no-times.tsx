import { paths } from '../../paths.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './timeline.module.css';

const EXAMPLE = `{"title": "pays by card", "status": "passed", "duration": 840,
 "startTime": "2026-01-05T09:00:02.150Z", "lane": 0}`;

/** Why there is nothing to draw, and how it gets in. */
export const NoTimes = ({ results }: { readonly results: number }) =>
  results === 0 ? (
    <Panel>
      <Empty title="This run has no results" />
    </Panel>
  ) : (
    <Panel title="No result of this run has a start time" padded>
      <div className={styles['text']}>
        <p>
          The reporters and most imported reports have them. Whoever sends results by themselves adds to each test case
          when its first attempt started, and which of the workers that run side by side ran it, counted from 0:
        </p>
        <CodeBlock what="the fields" text={EXAMPLE} />
        <p>
          All fields are in the <Link to={paths.docs()}>API documentation</Link>.
        </p>
      </div>
    </Panel>
  );
