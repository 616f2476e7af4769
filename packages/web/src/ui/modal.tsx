import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import styles from './modal.module.css';

type Props = Omit<ComponentProps<'dialog'>, 'ref' | 'onCancel' | 'onClick' | 'onClose'> & {
  readonly onClose: () => void;
  /** Keeps what is lost with it: Escape and a click beside it do nothing, a button must close it. */
  readonly lasting?: boolean;
};

/** Over the page while it is rendered; Escape and a click beside it close it, unless it is lasting. */
export const Modal = ({ onClose, lasting = false, className, ...rest }: Props) => {
  const ref = useRef<HTMLDialogElement>(null);
  // Before the element goes: only then does the focus return to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={ref}
      className={classNames(styles['modal'], className)}
      onCancel={(event) => {
        event.preventDefault();
        if (!lasting) onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current && !lasting) onClose();
      }}
      {...rest}
    />
  );
};
