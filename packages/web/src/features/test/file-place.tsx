import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PathText } from '../../ui/path-text.tsx';
import styles from './file-place.module.css';

/** Where a test is written, to be copied. */
export const FilePlace = ({ place }: { readonly place: string }) => (
  <span className={styles['place']}>
    <Icon name="file" size={13} />
    <code>
      <PathText path={place} />
    </code>
    <CopyButton text={place} what="the place in the code" />
  </span>
);
