import { useEffect, useId, useRef, useState } from 'react';
import { paths } from '../../paths.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { fileUrl } from '../attachments/kinds.ts';
import styles from './picture-mark.module.css';

/** A list that is scrolled passes below the pointer. */
const RESTS_MS = 120;
/** Time to move the pointer from the mark to the picture. */
const LEAVES_MS = 200;

interface Props {
  readonly id: number;
  readonly title: string;
  readonly path: string;
}

/** Says that a result has a picture, and shows it where one points or arrives by the keyboard; not loaded before. */
export const PictureMark = ({ id, title, path }: Props) => {
  const tipId = useId();
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (to: boolean, afterMs: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(to), afterMs);
  };
  return (
    <span
      className={styles['mark']}
      onPointerEnter={({ pointerType }) => pointerType !== 'touch' && change(true, RESTS_MS)}
      onPointerLeave={() => change(false, LEAVES_MS)}
      onFocus={() => change(true, 0)}
      onBlur={() => change(false, 0)}
    >
      <Link to={paths.testCase(id)} aria-label={`Picture of ${title}`} {...(open ? { 'aria-describedby': tipId } : {})}>
        <Icon name="picture" />
      </Link>
      {open && <Tip id={tipId} path={path} onClose={() => change(false, 0)} />}
    </span>
  );
};

const Tip = ({ id, path, onClose }: { readonly id: string; readonly path: string; readonly onClose: () => void }) => {
  const tip = useRef<HTMLSpanElement>(null);
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading');
  useEffect(() => {
    const element = tip.current!;
    element.showPopover();
    place(element);
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <span ref={tip} id={id} role="tooltip" popover="manual" className={styles['tip']}>
      {state === 'broken' ? (
        'The picture cannot be shown'
      ) : (
        <img
          src={fileUrl(path)}
          alt="What the test saw"
          onLoad={() => {
            setState('shown');
            place(tip.current!);
          }}
          onError={() => setState('broken')}
        />
      )}
      {state === 'loading' && 'Loading'}
    </span>
  );
};

const GAP = 6;

/** Below the mark, or above it where there is more room; within the window. */
const place = (tip: HTMLElement): void => {
  const mark = tip.parentElement!.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isAbove = mark.top > clientHeight - mark.bottom;
  tip.style.setProperty('--room', `${(isAbove ? mark.top : clientHeight - mark.bottom) - 3 * GAP}px`);
  const { width, height } = tip.getBoundingClientRect();
  tip.style.top = `${isAbove ? mark.top - GAP - height : mark.bottom + GAP}px`;
  tip.style.left = `${Math.max(GAP, Math.min(mark.left, clientWidth - width - GAP))}px`;
};
