import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isTyping } from './keys.ts';
import styles from './virtual-rows.module.css';

type Key = string | number;

interface Props<Row> {
  /** What the rows are, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** Keep this function between renders: a new one has every row counted anew. */
  readonly keyOf: (row: Row) => Key;
  /** In pixels; a row that grows is measured. */
  readonly rowHeight: number | ((row: Row) => number);
  readonly children: (row: Row) => ReactNode;
  /** As the rows of a table: what stands around has the role `table`, what is in a row the role `cell`. */
  readonly table?: boolean;
}

/** What covers the top of the page while it is scrolled: the bar, and the headings of a table. */
const COVERED_PX = 56;
const HEADINGS_PX = 37;

const FOCUSABLE = 'a[href], button:not(:disabled)';

/**
 * A long list in the page's own scroll, of which only what is on screen exists. `j` and `k` move the focus to the first link
 * or button of the next and the previous row.
 */
export const VirtualRows = <Row,>(props: Props<Row>) => {
  const { label, rows, keyOf, rowHeight, children, table = false } = props;
  const list = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const [currentKey, setCurrentKey] = useState<Key | null>(null);
  /** A row that gets the focus as soon as it is on screen. */
  const reached = useRef<number | null>(null);
  useLayoutEffect(() => {
    const measure = (): void => setTop(list.current!.getBoundingClientRect().top + window.scrollY);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (typeof rowHeight === 'number' ? rowHeight : rowHeight(rows[index]!)),
    overscan: 3,
    useFlushSync: false,
    scrollMargin: top,
    scrollPaddingStart: COVERED_PX + (table ? HEADINGS_PX : 0),
    getItemKey: useCallback((index: number) => keyOf(rows[index]!), [rows, keyOf]),
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey || rows.length === 0) return;
      if (document.querySelector('dialog[open]')) return;
      const current = currentKey === null ? -1 : rows.findIndex((row) => keyOf(row) === currentKey);
      if (event.key === 'j' || event.key === 'k') {
        event.preventDefault();
        const next = current < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, current + (event.key === 'j' ? 1 : -1)));
        reached.current = next;
        setCurrentKey(keyOf(rows[next]!));
        virtualizer.scrollToIndex(next, { align: 'auto' });
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [rows, keyOf, currentKey, virtualizer]);
  useLayoutEffect(() => {
    const row = list.current!.querySelector<HTMLElement>(`[data-index="${reached.current}"]`);
    if (row === null) return;
    reached.current = null;
    (row.querySelector<HTMLElement>(FOCUSABLE) ?? row).focus({ preventScroll: true });
  });
  const List = table ? 'div' : 'ul';
  const Item = table ? 'div' : 'li';
  return (
    <List
      ref={list as never}
      role={table ? 'rowgroup' : undefined}
      aria-label={label}
      className={styles['rows']}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map((item) => (
        <Item
          key={item.key}
          role={table ? 'row' : undefined}
          aria-setsize={table ? undefined : rows.length}
          aria-posinset={table ? undefined : item.index + 1}
          aria-rowindex={table ? item.index + 2 : undefined}
          aria-current={currentKey === item.key ? 'true' : undefined}
          data-current={currentKey === item.key}
          tabIndex={-1}
          onFocus={() => setCurrentKey(keyOf(rows[item.index]!))}
          data-index={item.index}
          ref={virtualizer.measureElement}
          className={styles['row']}
          style={{ transform: `translateY(${item.start - top}px)` }}
        >
          {children(rows[item.index]!)}
        </Item>
      ))}
    </List>
  );
};
