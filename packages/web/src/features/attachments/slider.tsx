import { type PointerEvent, useRef, useState } from 'react';
import { type Part, PartPicture, type Size } from './part-picture.tsx';
import styles from './comparison.module.css';

interface Props {
  readonly before: Part;
  readonly actual: Part;
  readonly union: Size | null;
}

/** Both on top of each other, divided where one drags or moves the slider by its keys. */
export const Slider = ({ before, actual, union }: Props) => {
  const [share, setShare] = useState(50);
  const stack = useRef<HTMLDivElement>(null);
  const drag = ({ buttons, clientX }: PointerEvent): void => {
    if (buttons !== 1) return;
    const { left, width } = stack.current!.getBoundingClientRect();
    setShare(Math.round(Math.min(100, Math.max(0, ((clientX - left) / width) * 100))));
  };
  return (
    <figure className={styles['stack']}>
      <div ref={stack} className={styles['layers']} onPointerDown={drag} onPointerMove={drag}>
        <PartPicture part={before} union={union} />
        <div className={styles['layer']} style={{ clipPath: `inset(0 0 0 ${share}%)` }}>
          <PartPicture part={actual} union={union} />
        </div>
        <i className={styles['divider']} style={{ left: `${share}%` }} />
      </div>
      <figcaption className={styles['ends']}>
        <span>{before.label}</span>
        <input
          type="range"
          min={0}
          max={100}
          value={share}
          aria-label={`Share that shows ${before.label.toLowerCase()}, in percent`}
          onChange={(event) => setShare(Number(event.target.value))}
        />
        <span>{actual.label}</span>
      </figcaption>
    </figure>
  );
};
