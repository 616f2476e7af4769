import type { RunComparison } from '@assay/contract';
import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { isTyping } from '../../ui/keys.ts';
import { Link } from '../../ui/link.tsx';
import styles from './run-header.module.css';

/** To the run before and after, with the same filter and view. */
export const RunNeighbours = ({ comparison }: { readonly comparison: RunComparison | undefined }) => {
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  const pathOf = (run: { readonly id: number } | null | undefined): string | null =>
    run ? paths.run(run.id, Object.fromEntries(search)) : null;
  const before = pathOf(comparison?.previousRun);
  const after = pathOf(comparison?.nextRun);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]'))
        return;
      const to = { '[': before, ']': after }[event.key];
      if (to) navigate(to);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [before, after, navigate]);
  return (
    <nav className={styles['neighbours']} aria-label="Previous and next run">
      <Neighbour to={before} icon="arrowLeft" label="Previous run" keys="[" />
      <Neighbour to={after} icon="arrowRight" label="Next run" keys="]" />
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
    <span className={buttonClass({ square: true })} title={`There is no ${label.slice(4)}`}>
      <Icon name={icon} />
    </span>
  );
