import { FILTER_LIMITS } from '@assay/contract/filter';
import type { Node } from '@assay/expression';
import { useState } from 'react';
import { countOf, formatCount } from '../../format/number.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Answer, explainRow } from './ask-row.ts';
import styles from './expressions-page.module.css';

interface Props {
  readonly tree: Node;
  readonly answers: readonly Answer[];
}

/** Which rows match, what each costs, and why. */
export const RowAnswers = ({ tree, answers }: Props) => {
  const matching = answers.filter(({ state }) => state === 'match').length;
  const costly = answers.filter(({ state }) => state === 'too costly').length;
  return (
    <Panel
      title="Rows"
      note={`${formatCount(matching)} of ${countOf(answers.length, 'row')} match; a row may take ${formatCount(FILTER_LIMITS.steps)} steps`}
    >
      {costly > 0 && (
        <div className={styles['inset']}>
          <Notice tone="warn" title={`Too costly for ${countOf(costly, 'row')}`}>
            The evaluation of a row stops after {formatCount(FILTER_LIMITS.steps)} steps. Create shorter texts and
            lists, or look at fewer elements.
          </Notice>
        </div>
      )}
      {answers.length === 0 ? (
        <Empty title="No rows">Write some as JSON under Sample rows.</Empty>
      ) : (
        <ol className={styles['answers']} aria-label="Answers">
          {answers.map((answer, at) => (
            <RowAnswer key={at} tree={tree} answer={answer} nth={at + 1} />
          ))}
        </ol>
      )}
    </Panel>
  );
};

const WORDS = {
  match: 'matches',
  'no match': 'does not match',
  'too costly': 'too costly',
  error: 'cannot be evaluated',
} as const;

const RowAnswer = ({ tree, answer, nth }: { tree: Node; answer: Answer; nth: number }) => {
  const [open, setOpen] = useState(false);
  const { row, state, message, steps } = answer;
  return (
    <li>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Icon name="chevronRight" size={12} />
          <span className={styles['nth']}>{nth}</span>
          <span className={styles['name']}>{nameOf(row)}</span>
          <span className={styles['state']} data-state={state}>
            {WORDS[state]}
          </span>
          <span className={styles['steps']}>
            {state === 'too costly'
              ? `over ${formatCount(FILTER_LIMITS.steps)} steps`
              : steps !== null && countOf(steps, 'step')}
          </span>
        </summary>
        {open && (
          <div className={styles['why']}>
            {message !== null && <p>{message}</p>}
            <Explanation tree={tree} answer={answer} />
          </div>
        )}
      </details>
    </li>
  );
};

const Explanation = ({ tree, answer }: { tree: Node; answer: Answer }) => (
  <ul className={styles['parts']} aria-label="Parts">
    {explainRow(tree, answer.row).map(({ depth, text, value, state, times }, at) => (
      <li key={at} style={{ paddingInlineStart: `${Math.min(depth, 12) * 0.9}rem` }}>
        <code>{text}</code>
        <span data-state={state}>
          {state === 'value' ? <code>{value}</code> : value}
          {times > 1 && <small> the last of {formatCount(times)}</small>}
        </span>
      </li>
    ))}
  </ul>
);

/** What tells a row from the others. */
const nameOf = (row: Answer['row']): string => {
  const name = row['title'] ?? row['message'] ?? row['branch'] ?? JSON.stringify(row);
  return typeof name === 'string' ? name : JSON.stringify(name);
};
