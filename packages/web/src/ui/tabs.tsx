import { useEffect, useRef } from 'react';
import { formatCount } from '../format/number.ts';
import { Link } from './link.tsx';
import styles from './tabs.module.css';

export interface Tab {
  readonly label: string;
  readonly to: string;
  readonly count?: number | undefined;
  readonly current: boolean;
}

/** Pages that belong together, as links. */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) => {
  const row = useRef<HTMLElement>(null);
  const current = tabs.findIndex((tab) => tab.current);
  useEffect(() => showWithin(row.current!, row.current!.children[current]), [current]);
  return (
    <nav ref={row} className={styles['tabs']} aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} aria-current={tab.current ? 'page' : undefined}>
          {tab.label}
          {tab.count !== undefined && <span className={styles['count']}>{formatCount(tab.count)}</span>}
        </Link>
      ))}
    </nav>
  );
};

/** Scrolls the row and nothing else. */
const showWithin = (row: HTMLElement, tab: Element | undefined): void => {
  if (!tab) return;
  const room = row.getBoundingClientRect();
  const { left, right } = tab.getBoundingClientRect();
  if (right > room.right) row.scrollLeft += right - room.right;
  else if (left < room.left) row.scrollLeft -= room.left - left;
};
