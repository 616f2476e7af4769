import type { ReactNode } from 'react';
import styles from './form.module.css';

interface Props {
  readonly onSubmit: (values: FormData) => void;
  readonly children: ReactNode;
}

/** Fields one below the other; sends their values without leaving the page. */
export const Form = ({ onSubmit, children }: Props) => (
  <form
    className={styles['form']}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(new FormData(event.currentTarget));
    }}
  >
    {children}
  </form>
);

/** The text of a field, empty when there is none. */
export const textOf = (values: FormData, name: string): string => {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
};
