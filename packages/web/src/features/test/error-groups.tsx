import type { ErrorGroup, ResultRef } from '@assay/contract';
import { useAddressPart } from '../../address.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { classNames } from '../../ui/class-names.ts';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Reveal } from '../../ui/reveal.tsx';
import { Time } from '../../ui/time.tsx';
import { ErrorText } from '../error/error-text.tsx';
import styles from './error-groups.module.css';

/** The errors of the results, one for each cause; the one in the address is open. */
export const ErrorGroups = ({ groups }: { readonly groups: readonly ErrorGroup[] }) => {
  const [open, setOpen] = useAddressPart('error', '');
  const most = Math.max(1, ...groups.map(({ count }) => count));
  return (
    <Panel title="Errors" note={countOf(groups.length, 'cause')}>
      <div className={classNames(styles['row'], styles['heads'])} aria-hidden="true">
        <span className={styles['count']}>Count</span>
        <span />
        <span>Error</span>
        <span>Since</span>
        <span>Last</span>
      </div>
      <ul>
        {groups.map((group, at) => {
          const name = String(at + 1);
          const isOpen = open === name;
          return (
            <li key={group.message} className={styles['group']}>
              <div className={styles['row']}>
                <span className={styles['count']}>{formatCount(group.count)} ×</span>
                <span className={styles['bar']} aria-hidden="true">
                  <i style={{ width: `${(group.count / most) * 100}%` }} />
                </span>
                <Reveal open={isOpen} onToggle={() => setOpen(isOpen ? '' : name)} title={group.message}>
                  {group.message || 'An error without words'}
                </Reveal>
                <Seen result={group.firstSeen} word="since" />
                <Seen result={group.lastSeen} word="last" />
              </div>
              {isOpen && (
                <div className={styles['sample']}>
                  <ErrorText text={group.sample} lines={40} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
};

const Seen = ({ result, word }: { readonly result: ResultRef; readonly word: string }) => (
  <span className={styles['seen']}>
    <span className={styles['word']}>{word} </span>
    <Link to={paths.testCase(result.testCaseId)}>#{result.testRunId}</Link>, <Time value={result.startTime} />
  </span>
);
