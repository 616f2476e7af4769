import type { SubmittedVitals } from '@assay/contract';
import { formatDuration } from '../../format/duration.ts';
import { MiddleText } from '../../ui/middle-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Look } from '../status/outcome.ts';
import { LookMark } from '../status/status-mark.tsx';
import { type Rating, type Timing, type Vital, gaugeOf, pageOf, readTimings, readVitals } from './vitals.ts';
import styles from './vitals-panel.module.css';

const LOOKS: Record<Rating, Look> = { good: 'passed', 'needs work': 'flaky', poor: 'failed' };
const WORDS: Record<Rating, string> = { good: 'Good', 'needs work': 'Needs work', poor: 'Poor' };

/** What a visitor would have felt of the page, against the usual thresholds. */
export const VitalsPanel = ({ vitals }: { readonly vitals: SubmittedVitals }) => {
  const measured = readVitals(vitals);
  const timings = readTimings(vitals);
  const page = pageOf(vitals);
  return (
    <>
      {measured.length > 0 && (
        <Panel title="Web vitals" note={page && <MiddleText text={page} />}>
          <ul className={styles['vitals']}>
            {measured.map((vital) => (
              <VitalItem key={vital.short} vital={vital} />
            ))}
          </ul>
        </Panel>
      )}
      {timings.length > 0 && (
        <Panel title="Page load" note={measured.length === 0 && page}>
          <Timings timings={timings} />
        </Panel>
      )}
    </>
  );
};

const VitalItem = ({ vital }: { readonly vital: Vital }) => {
  const { short, name, value, rating, good, poor, format } = vital;
  const at = gaugeOf(vital);
  return (
    <li className={styles['vital']}>
      <span className={styles['name']}>
        <strong>{short}</strong> {name}
      </span>
      <span className={styles['value']}>{format(value)}</span>
      <span className={styles['rating']} data-rating={rating}>
        <LookMark look={LOOKS[rating]} size={14} />
        {WORDS[rating]}
      </span>
      <span
        className={styles['gauge']}
        role="img"
        aria-label={`Good up to ${format(good)}, poor above ${format(poor)}`}
      >
        <i className={styles['good']} style={{ width: `${at.good * 100}%` }} />
        <i className={styles['middle']} style={{ width: `${(at.poor - at.good) * 100}%` }} />
        <i className={styles['poor']} />
        <b style={{ left: `${at.value * 100}%` }} />
      </span>
      <span className={styles['scale']} aria-hidden="true">
        <span style={{ left: `${at.good * 100}%` }}>{format(good)}</span>
        <span style={{ left: `${at.poor * 100}%` }}>{format(poor)}</span>
      </span>
    </li>
  );
};

const Timings = ({ timings }: { readonly timings: readonly Timing[] }) => {
  const end = timings.at(-1)!.ms || 1;
  return (
    <dl className={styles['timings']}>
      {timings.map(({ name, ms }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={styles['lane']} aria-hidden="true">
            <i style={{ width: `${(ms / end) * 100}%` }} />
          </dd>
          <dd className={styles['ms']}>{formatDuration(ms)}</dd>
        </div>
      ))}
    </dl>
  );
};
