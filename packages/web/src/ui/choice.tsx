import { useId } from 'react';
import styles from './choice.module.css';

interface Props<T extends string> {
  readonly label: string;
  /** Null where none is chosen yet. */
  readonly value: T | null;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** One of a few, side by side. */
export const Choice = <T extends string>({ label, value, options, onChange }: Props<T>) => {
  const name = useId();
  return (
    <div className={styles['choice']} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  );
};
