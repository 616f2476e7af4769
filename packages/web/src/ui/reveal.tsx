import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './reveal.module.css';

interface Props {
  readonly open: boolean;
  readonly onToggle: () => void;
  /** The whole text, where the line is cut. */
  readonly title: string;
  readonly children: ReactNode;
}

/** A line of code that opens what is below it. */
export const Reveal = ({ open, onToggle, title, children }: Props) => (
  <button type="button" className={styles['reveal']} aria-expanded={open} title={title} onClick={onToggle}>
    <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />
    <code>{children}</code>
  </button>
);
