import { useId } from 'react';
import styles from './inline-select.module.css';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

/** One of many, in the line of a toolbar. */
export const InlineSelect = ({ label, value, options, onChange }: Props) => {
  const id = useId();
  return (
    <span className={styles['select']}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
};
