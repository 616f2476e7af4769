import { type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Modal } from './modal.tsx';
import styles from './dialog.module.css';

interface Props {
  readonly title: string;
  readonly wide?: boolean;
  /** Closed by its buttons alone. */
  readonly lasting?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal with a heading and a button that closes it. */
export const Dialog = ({ title, wide, lasting = false, onClose, children }: Props) => {
  const titleId = useId();
  return (
    <Modal
      className={classNames(styles['dialog'], wide && styles['wide'])}
      aria-labelledby={titleId}
      lasting={lasting}
      onClose={onClose}
    >
      <div className={styles['head']}>
        <h2 id={titleId}>{title}</h2>
        <Button look="quiet" square aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </Button>
      </div>
      <div className={styles['body']}>{children}</div>
    </Modal>
  );
};

export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['actions']}>{children}</div>
);
