import { type ReactNode, useRef } from 'react';
import { useArrival } from './arrival.ts';
import { Link } from './link.tsx';
import { type TabMark, useWindowTitle } from './window-title.ts';
import styles from './page.module.css';

interface Crumb {
  readonly label: string;
  readonly to: string;
}

interface Props {
  /** In the title of the window, and the heading unless there is another. */
  readonly title: string;
  readonly heading?: ReactNode;
  /** Whether the tab tells of something that failed or runs. */
  readonly mark?: TabMark;
  readonly crumbs?: readonly Crumb[];
  /** A line of facts below the heading. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

export const Page = ({ title, heading, mark = 'none', crumbs = [], about, actions, children }: Props) => {
  const top = useRef<HTMLHeadingElement>(null);
  useWindowTitle(title, mark);
  useArrival(top);
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div className={styles['titles']}>
          {crumbs.length > 0 && (
            <nav aria-label="Breadcrumb">
              <ol className={styles['crumbs']}>
                {crumbs.map(({ label, to }) => (
                  <li key={to}>
                    <Link to={to}>{label}</Link>
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <h1 ref={top} tabIndex={-1}>
            {heading ?? title}
          </h1>
          {about && <div className={styles['about']}>{about}</div>}
        </div>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
};
