import { type ReactNode, useState } from 'react';
import { Icon } from './icon.tsx';
import styles from './fold.module.css';

interface Props {
  readonly title: string;
  /** A few words beside the title. */
  readonly note?: ReactNode;
  /** Starts closed whatever room there is. */
  readonly closed?: boolean;
  readonly children: ReactNode;
}

const WIDE = '(width >= 64rem)';

/** A part of a page that can be folded away; it starts open where there is room. */
export const Fold = ({ title, note, closed = false, children }: Props) => {
  const [open, setOpen] = useState(() => !closed && window.matchMedia(WIDE).matches);
  return (
    <details className={styles['fold']} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevronRight" size={12} />
        <h2>{title}</h2>
        {note && <span>{note}</span>}
      </summary>
      {open && children}
    </details>
  );
};
