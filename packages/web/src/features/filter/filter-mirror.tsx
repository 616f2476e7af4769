import type { ReactNode } from 'react';
import type { Mistake } from './read-filter.ts';
import styles from './filter-box.module.css';

interface Props {
  readonly text: string;
  readonly mistakes: readonly Mistake[];
  /** Remarks rather than mistakes. */
  readonly mild: boolean;
  readonly scrolled: number;
}

/** The text once more, unseen behind the box, for the lines under it. */
export const FilterMirror = ({ text, mistakes, mild, scrolled }: Props) => (
  <div className={styles['mirror']} aria-hidden="true">
    <span style={{ translate: `${-scrolled}px 0` }}>{underlined(text, mistakes, mild)}</span>
  </div>
);

const underlined = (text: string, mistakes: readonly Mistake[], mild: boolean): ReactNode[] => {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of mistakes) {
    if (start < at) continue;
    parts.push(text.slice(at, start));
    parts.push(
      <mark key={start} className={mild ? styles['mild'] : undefined}>
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return [...parts, text.slice(at)];
};
