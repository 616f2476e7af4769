import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';

interface Props {
  readonly tone?: 'plain' | 'bad' | 'warn' | 'good';
  readonly title?: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export const Notice = ({ tone = 'plain', title, children, action }: Props) => (
  <div
    className={classNames(styles['notice'], tone !== 'plain' && styles[tone])}
    role={tone === 'bad' ? 'alert' : undefined}
  >
    <Icon name={tone === 'plain' ? 'info' : tone === 'good' ? 'check' : 'warning'} />
    <div className={styles['text']}>
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
    {action}
  </div>
);

/** Where a list would be: why there is nothing, and what to do. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className={styles['empty']}>
    <strong>{title}</strong>
    {children}
  </div>
);
