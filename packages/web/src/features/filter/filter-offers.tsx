import type { CompletionItem } from '@assay/expression';
import { useEffect } from 'react';
import styles from './filter-box.module.css';

interface Props {
  readonly id: string;
  readonly items: readonly CompletionItem[];
  readonly active: number | null;
  readonly onTake: (item: CompletionItem) => void;
}

/** Suggestions, under the box. */
export const FilterOffers = ({ id, items, active, onTake }: Props) => {
  useEffect(() => {
    if (active !== null) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const about = items[active ?? 0];
  return (
    <div className={styles['offers']} hidden={items.length === 0}>
      <div id={id} role="listbox" aria-label="Suggestions">
        {items.map((item, at) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={item.label}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            className={styles['offer']}
            // The box keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onTake(item)}
          >
            <span className={styles['name']}>{item.label}</span>
            <small>{item.kind}</small>
          </div>
        ))}
      </div>
      {about && (
        <div className={styles['about']}>
          <span>{about.docs}</span>
          <span className={styles['keys']}>
            <kbd>↑</kbd>
            <kbd>↓</kbd> <kbd>Tab</kbd>
          </span>
        </div>
      )}
    </div>
  );
};
