import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './outside-link.module.css';

/** To another site; plain text where that is not known. */
export const OutsideLink = ({ href, children }: { readonly href: string | null; readonly children: ReactNode }) =>
  href === null ? (
    children
  ) : (
    <a href={href} target="_blank" rel="noreferrer" className={styles['link']}>
      {children}
      <Icon name="outside" size={12} />
      <span className="unseen">, opens in a new tab</span>
    </a>
  );
