import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { PathText } from '../../ui/path-text.tsx';
import styles from './file-place.module.css';

interface Props {
  readonly place: string;
  /** Where the file can be looked at. */
  readonly href?: string | null;
}

/** Where a test is written, to be copied. */
export const FilePlace = ({ place, href = null }: Props) => (
  <span className={styles['place']}>
    <Icon name="file" size={13} />
    <code>
      <OutsideLink href={href}>
        <PathText path={place} />
      </OutsideLink>
    </code>
    <CopyButton text={place} what="the place in the code" />
  </span>
);
