import type { ReactNode } from 'react';
import styles from './figures.module.css';

/** A few figures side by side. */
export const Figures = ({ children }: { readonly children: ReactNode }) => (
  <dl className={styles['figures']}>{children}</dl>
);

interface Props {
  readonly label: string;
  readonly value: ReactNode;
  /** A few words below the value. */
  readonly note?: ReactNode;
}

export const Figure = ({ label, value, note }: Props) => (
  <div className={styles['figure']}>
    <dt>{label}</dt>
    <dd className={styles['value']}>{value}</dd>
    {note && <dd className={styles['note']}>{note}</dd>}
  </div>
);
