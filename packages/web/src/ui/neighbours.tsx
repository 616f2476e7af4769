import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { buttonClass } from './button.tsx';
import { Icon } from './icon.tsx';
import { isTyping } from './keys.ts';
import { Link } from './link.tsx';
import styles from './neighbours.module.css';

interface Props {
  /** What they are, such as "run". */
  readonly what: string;
  /** Null where there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** The keys that go there. */
  readonly keys: readonly [before: string, after: string];
  /** Which one this is among them. */
  readonly place?: string;
}

/** To the one before and after this, by pointer or by key. */
export const Neighbours = ({ what, before, after, keys: [back, on], place }: Props) => {
  const [, navigate] = useLocation();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]'))
        return;
      const to = { [back]: before, [on]: after }[event.key];
      if (to) navigate(to);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [before, after, back, on, navigate]);
  return (
    <nav className={styles['neighbours']} aria-label={`Previous and next ${what}`}>
      <Neighbour to={before} icon="arrowLeft" label={`Previous ${what}`} keys={back} />
      {place && <span className={styles['place']}>{place}</span>}
      <Neighbour to={after} icon="arrowRight" label={`Next ${what}`} keys={on} />
    </nav>
  );
};

interface NeighbourProps {
  readonly to: string | null;
  readonly icon: 'arrowLeft' | 'arrowRight';
  readonly label: string;
  readonly keys: string;
}

const Neighbour = ({ to, icon, label, keys }: NeighbourProps) =>
  to ? (
    <Link to={to} className={buttonClass({ square: true })} aria-label={label} title={`${label}, key ${keys}`}>
      <Icon name={icon} />
    </Link>
  ) : (
    <span className={buttonClass({ square: true })} title={`There is no ${label.toLowerCase()}`}>
      <Icon name={icon} />
    </span>
  );
