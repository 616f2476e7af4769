import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { type Part, PartPicture, type Size } from './part-picture.tsx';
import styles from './comparison.module.css';

const EACH_MS = 700;

interface Props {
  readonly before: Part;
  readonly actual: Part;
  readonly union: Size | null;
}

/** One after the other in the same place, by itself or by hand. */
export const Blink = ({ before, actual, union }: Props) => {
  const [isFirst, setFirst] = useState(true);
  const [isPlaying, setPlaying] = useState(() => !window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => setFirst((first) => !first), EACH_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  const [shown, other] = isFirst ? [before, actual] : [actual, before];
  return (
    <figure className={styles['stack']}>
      <div className={styles['layers']}>
        {[before, actual].map((part, at) => (
          <div
            key={part.label}
            className={at === 0 ? undefined : styles['layer']}
            style={part === shown ? {} : { visibility: 'hidden' }}
          >
            <PartPicture part={part} union={union} />
          </div>
        ))}
      </div>
      <figcaption className={styles['ends']}>
        <strong>{shown.label}</strong>
        <Button small onClick={() => setPlaying(!isPlaying)}>
          {isPlaying ? 'Pause' : 'Blink'}
        </Button>
        {!isPlaying && (
          <Button small onClick={() => setFirst(!isFirst)}>
            Show {other.label.toLowerCase()}
          </Button>
        )}
      </figcaption>
    </figure>
  );
};
