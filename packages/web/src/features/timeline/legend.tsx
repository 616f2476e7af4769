import { formatDuration } from '../../format/duration.ts';
import { countOf } from '../../format/number.ts';
import { statusWords } from '../status/outcome.ts';
import { LookMark } from '../status/status-mark.tsx';
import { formatOffset } from './axis.ts';
import { type Bar, durationMsOf, type Row } from './layout.ts';
import styles from './timeline.module.css';

/** `Failed · 12 s · from 1:05 · 2 retries`, with the time of all attempts. */
export const aboutBar = (bar: Bar): string => {
  const { status, retries, duration } = bar.result;
  return [
    statusWords(status, bar.look === 'flaky'),
    bar.look !== 'skipped' && formatDuration(duration === null ? null : durationMsOf(bar)),
    `from ${formatOffset(bar.from)}`,
    retries > 0 && countOf(retries, 'retry', 'retries'),
    bar.earlierMs > 0 && `${formatDuration(bar.earlierMs)} in attempts before the last`,
  ]
    .filter(Boolean)
    .join(' · ');
};

export const Legend = ({ critical }: { readonly critical: Row | null }) => (
  <div className={styles['legend']}>
    <ul>
      <li>
        <LookMark look="failed" size={13} /> × Failed, tallest
      </li>
      <li>
        <LookMark look="flaky" size={13} /> ≈ Flaky
      </li>
      <li>
        <LookMark look="passed" size={13} /> Passed
      </li>
      <li>
        <LookMark look="skipped" size={13} /> Skipped, lowest
      </li>
      <li>
        <i className={styles['hatched']} /> Attempts before the last
      </li>
      {critical && (
        <li>
          <i className={styles['path']} /> Critical path: {critical.name}
        </li>
      )}
    </ul>
    <p id="timeline-keys">
      Drag, swipe or <kbd>←</kbd> <kbd>→</kbd> to pan; pinch, <kbd>Ctrl</kbd> and wheel or <kbd>+</kbd> <kbd>−</kbd> to
      zoom, <kbd>0</kbd> shows all; <kbd>j</kbd> <kbd>k</kbd> next and previous result, <kbd>n</kbd> <kbd>p</kbd>{' '}
      failure; <kbd>Enter</kbd> or a second click opens it.
    </p>
  </div>
);
