import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './panel.module.css';

interface Props {
  readonly title?: string;
  /** A few words beside the title. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** Room around the content; tables go without. */
  readonly padded?: boolean;
  readonly children: ReactNode;
}

/** A part of a page with its own heading. */
export const Panel = ({ title, note, actions, padded, children }: Props) => (
  <section className={styles['panel']} aria-label={title}>
    {(title ?? actions) && (
      <div className={styles['head']}>
        <div className={styles['title']}>
          <h2>{title}</h2>
          {note && <span className={styles['note']}>{note}</span>}
        </div>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </div>
    )}
    <div className={classNames(padded && styles['padded'])}>{children}</div>
  </section>
);
