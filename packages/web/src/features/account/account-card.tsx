import type { ReactNode } from 'react';
import { useWindowTitle } from '../../ui/window-title.ts';
import styles from './account.module.css';

/** The one thing on a page of signing in. */
export const AccountCard = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  useWindowTitle(title, 'none');
  return (
    <div className={styles['page']}>
      <div className={styles['card']}>
        <h1>
          <img src="/favicon.svg" width={24} height={24} alt="" />
          {title}
        </h1>
        {children}
      </div>
    </div>
  );
};
