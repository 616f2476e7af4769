import { Icon } from './icon.tsx';
import styles from './search-field.module.css';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** What the key `/` jumps to. */
export const SearchField = ({ label, value, onChange }: Props) => (
  <div className={styles['search']}>
    <Icon name="search" size={14} />
    <input
      type="search"
      data-search
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // A browser would empty the field; what was found is to stay.
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  </div>
);
