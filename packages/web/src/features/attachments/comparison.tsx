import type { Attachment } from '@assay/contract';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { formatBytes, formatCount } from '../../format/number.ts';
import { Choice } from '../../ui/choice.tsx';
import { Blink } from './blink.tsx';
import { ComputedDifference } from './computed-difference.tsx';
import type { Comparison } from './group-attachments.ts';
import { type Part, PartPicture, type Size } from './part-picture.tsx';
import { NotShown, pixelsOf, type Showing, useShowing } from './showing.tsx';
import { Slider } from './slider.tsx';
import styles from './comparison.module.css';

export const MODES = ['side', 'slider', 'blink', 'difference'] as const;
export type Mode = (typeof MODES)[number];

const MODE_NAMES: Record<Mode, string> = {
  side: 'Side by side',
  slider: 'Slider',
  blink: 'Blink',
  difference: 'Difference',
};

interface Props {
  readonly comparison: Comparison;
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  /** Beside the choice of the mode. */
  readonly tools?: ReactNode;
  /** In its own pixels rather than as large as there is room. */
  readonly actualSize?: boolean;
}

/** Two pictures of one thing, compared in four ways. */
export const ComparisonView = ({ comparison, mode, onMode, tools, actualSize = false }: Props) => {
  const { name, against, before, actual, diff } = comparison;
  const [natural, setNatural] = useState<Readonly<Record<number, Size>>>({});
  const showings = { before: useShowing(before), actual: useShowing(actual), diff: useShowing(diff ?? actual) };
  const sizeOf = ({ id, width, height }: Attachment): Size | null =>
    width === null || height === null ? (natural[id] ?? null) : { width, height };
  const sizes = [sizeOf(before), sizeOf(actual)] as const;
  const union = unionOf(sizes);
  const areShown = showings.before.why === null && showings.actual.why === null;
  const current = areShown ? mode : 'side';
  const partOf = (attachment: Attachment, label: string, showing: Showing): Part => ({
    attachment,
    label,
    showing,
    size: sizeOf(attachment),
    onSize: (size) => setNatural((known) => ({ ...known, [attachment.id]: size })),
  });
  const first = partOf(before, against, showings.before);
  const second = partOf(actual, 'Actual', showings.actual);
  const difference = diff && showings.diff.why === null ? partOf(diff, 'Difference', showings.diff) : null;
  return (
    <div
      className={styles['comparison']}
      data-actual-size={actualSize}
      role="group"
      aria-label={`Comparison of ${name}`}
      style={union ? ({ '--ratio': union.width / union.height, '--width': `${union.width}px` } as CSSProperties) : {}}
    >
      <div className={styles['tools']}>
        {areShown && (
          <Choice
            label={`How to compare ${name}`}
            value={current}
            options={MODES.map((value) => ({ value, label: MODE_NAMES[value] }))}
            onChange={onMode}
          />
        )}
        {tools}
      </div>
      <Sizes against={against} sizes={sizes} />
      {current === 'side' && <SideBySide parts={difference ? [first, second, difference] : [first, second]} />}
      {current === 'slider' && <Slider before={first} actual={second} union={union} />}
      {current === 'blink' && <Blink before={first} actual={second} union={union} />}
      {current === 'difference' &&
        (difference ? (
          <figure className={styles['stack']}>
            <PartPicture part={difference} />
            <figcaption>The difference as it was sent</figcaption>
          </figure>
        ) : (
          <ComputedDifference comparison={comparison} />
        ))}
    </div>
  );
};

const SideBySide = ({ parts }: { readonly parts: readonly Part[] }) => (
  <div className={styles['side']}>
    {parts.map((part) => {
      const { attachment, label, showing } = part;
      return (
        <figure key={attachment.id}>
          <figcaption>
            <strong>{label}</strong> {[pixelsOf(attachment), formatBytes(attachment.size)].filter(Boolean).join(' · ')}
          </figcaption>
          {showing.why === null ? <PartPicture part={part} /> : <NotShown attachment={attachment} why={showing.why} />}
        </figure>
      );
    })}
  </div>
);

const Sizes = ({
  against,
  sizes: [before, actual],
}: {
  against: string;
  sizes: readonly [Size | null, Size | null];
}) => {
  if (!before || !actual || (before.width === actual.width && before.height === actual.height)) return null;
  const told = ({ width, height }: Size): string => `${formatCount(width)} × ${formatCount(height)}`;
  return (
    <p className={styles['note']}>
      The sizes differ: {against.toLowerCase()} {told(before)}, actual {told(actual)} pixels.
    </p>
  );
};

const unionOf = ([before, actual]: readonly [Size | null, Size | null]): Size | null =>
  before && actual
    ? { width: Math.max(before.width, actual.width), height: Math.max(before.height, actual.height) }
    : null;
