import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './table.module.css';

export interface Column<Row> {
  readonly title: string;
  readonly number?: boolean;
  /** Takes two places where rows are stacked. */
  readonly wide?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** On a narrow screen each row becomes a block: the first cell over the others, which carry their titles. */
  readonly stacked?: boolean;
}

/** A table of up to a few hundred rows. */
export const Table = <Row,>({ label, columns, rows, keyOf, stacked }: Props<Row>) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={styles['scroller']} role="group" aria-label={label} tabIndex={0}>
    <table className={classNames(styles['table'], stacked && styles['stacked'])}>
      <thead>
        <tr>
          {columns.map(({ title, number }) => (
            <th key={title} scope="col" className={number ? styles['number'] : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody data-rows>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, number, wide, cell }) => (
              <td
                key={title}
                className={classNames(number && styles['number'], wide && styles['wide']) || undefined}
                data-title={title}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
