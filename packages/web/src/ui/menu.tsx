import { type ReactNode, useId, useRef, useState } from 'react';
import { Button, type ButtonLook } from './button.tsx';
import styles from './menu.module.css';

interface Props extends ButtonLook {
  /** What the button says to a screen reader. */
  readonly label: string;
  readonly button: ReactNode;
  /** Links and buttons; following one closes the menu. */
  readonly children: ReactNode;
}

/** A button that opens a few links and buttons below it. */
export const Menu = ({ label, button, children, ...look }: Props) => {
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const menuRef = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const place = (): void => {
    const { bottom, right } = buttonRef.current!.getBoundingClientRect();
    menuRef.current!.style.top = `${bottom + 4}px`;
    menuRef.current!.style.right = `${document.documentElement.clientWidth - right}px`;
  };
  return (
    <>
      <Button {...look} aria-label={label} title={label} aria-expanded={open} popoverTarget={id} ref={buttonRef}>
        {button}
      </Button>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        id={id}
        ref={menuRef}
        popover="auto"
        className={styles['menu']}
        onToggle={(event) => {
          setOpen(event.newState === 'open');
          if (event.newState !== 'open') return;
          place();
          menuRef.current!.querySelector<HTMLElement>('a, button')?.focus();
        }}
        onClick={() => menuRef.current!.hidePopover()}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          const items = [...menuRef.current!.querySelectorAll<HTMLElement>('a, button')];
          const at = items.indexOf(document.activeElement as HTMLElement);
          items[(at + step + items.length) % items.length]?.focus();
        }}
      >
        {children}
      </div>
    </>
  );
};
