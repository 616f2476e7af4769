import { useMemo, useState } from 'react';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CaseMark } from '../status/status-mark.tsx';
import { alongside, type Bar, type Layout } from './layout.ts';
import { aboutBar } from './legend.tsx';
import styles from './timeline.module.css';

const SHOWN_AT_ONCE = 20;

interface Props {
  readonly layout: Layout;
  readonly bar: Bar;
  readonly onClose: () => void;
}

/** The result that was chosen, and what ran at the same time. */
export const SelectedResult = ({ layout, bar, onClose }: Props) => {
  const { rows, bars } = layout;
  const [all, setAll] = useState(false);
  const others = useMemo(() => alongside(bars, bar), [bars, bar]);
  const atItsEnd = others.filter(({ to }) => to >= bar.to);
  const failed = bar.look === 'failed';
  const groups = failed
    ? [
        { title: 'Running when it failed', of: atItsEnd },
        { title: 'Ended while it ran', of: others.filter((other) => !atItsEnd.includes(other)) },
      ]
    : [{ title: 'Running at the same time', of: others }];
  return (
    <Panel
      title="Selected result"
      note={rows.find((row) => row.bars.includes(bar))?.name}
      actions={
        <Button small onClick={onClose}>
          Clear selection
        </Button>
      }
      padded
    >
      <div className={styles['selected']}>
        <ResultLine bar={bar} />
        {groups.map(({ title, of }) => (
          <section key={title} aria-label={title}>
            <h3>
              {title} <small>{of.length === 0 ? 'nothing' : countOf(of.length, 'result')}</small>
            </h3>
            <ul>
              {of.slice(0, all ? undefined : SHOWN_AT_ONCE).map((other) => (
                <li key={other.result.id}>
                  <ResultLine bar={other} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {!all && groups.some(({ of }) => of.length > SHOWN_AT_ONCE) && (
          <Button small onClick={() => setAll(true)}>
            Show all {countOf(others.length, 'result')}
          </Button>
        )}
      </div>
    </Panel>
  );
};

const ResultLine = ({ bar }: { readonly bar: Bar }) => {
  const { id, title, status, retries } = bar.result;
  return (
    <div className={styles['line']}>
      <CaseMark status={status} retries={retries} />
      <Link to={paths.testCase(id)}>
        <MiddleText text={title} />
      </Link>
      <span>{aboutBar(bar)}</span>
    </div>
  );
};
