import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Mistake } from './read-filter.ts';
import type { FilterState } from './use-filter.ts';
import styles from './filter-box.module.css';

interface Props {
  readonly id: string;
  readonly state: FilterState;
  readonly mistakes: readonly Mistake[];
  readonly examples: readonly string[];
  readonly exact: boolean;
  readonly onExample: (text: string) => void;
}

/** What is wrong with the text and what was probably meant; examples while there is none. */
export const FilterNotes = ({ id, state: { text, filter, put }, mistakes, examples, exact, onExample }: Props) => (
  <div id={id} className={styles['notes']}>
    {text === '' && examples.length > 0 && (
      <span className={styles['examples']}>
        Try
        {examples.map((example) => (
          <button key={example} type="button" onClick={() => onExample(example)}>
            <code>{example}</code>
          </button>
        ))}
      </span>
    )}
    <div role="status">
      {mistakes.map(({ start, end, code, message, nearest }) => (
        <div key={`${start} ${message}`} className={filter.ok ? styles['remark'] : styles['mistake']}>
          <Icon name="warning" size={14} />
          <span>{message}</span>
          {exact && (
            <small>
              at {start + 1 === end ? end : `${start + 1}–${end}`} <code>{code}</code>
            </small>
          )}
          {nearest !== null && (
            <Button small onClick={() => put(text.slice(0, start) + nearest + text.slice(end))}>
              Use {nearest}
            </Button>
          )}
        </div>
      ))}
      {!exact && !filter.ok && mistakes.length > 0 && (
        <div className={styles['kept']}>The list still uses the last valid filter.</div>
      )}
    </div>
  </div>
);
