import type { TestCaseDetails } from '@assay/contract';
import { useCallback, useMemo, useState } from 'react';
import { useAddressChoice } from '../../address.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { StepRow } from './step-row.tsx';
import { type LaidStep, closedAtFirst, groupKeys, layOutSteps, openRows } from './waterfall.ts';
import styles from './steps-panel.module.css';

const ROW_HEIGHT = 30;
const SHOWN = ['all', 'failed'] as const;
/** From here on what failed is easily missed. */
const LONG_LIST = 40;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** What the test did, each step where it was in time. */
export const StepsPanel = ({ result }: { readonly result: TestCaseDetails }) => {
  const { steps, slowestStep, slowestStepDuration } = result;
  const { rows, totalMs, slowest } = useMemo(
    () => layOutSteps(steps, { title: slowestStep, durationMs: slowestStepDuration }),
    [steps, slowestStep, slowestStepDuration],
  );
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => closedAtFirst(rows));
  const [shown, setShown] = useAddressChoice('steps', SHOWN, 'all');
  const open = useMemo(() => {
    const all = openRows(rows, closed);
    return shown === 'failed' ? all.filter(({ error }) => error !== null) : all;
  }, [rows, closed, shown]);
  const toggle = useCallback(
    ({ key, steps: inside }: LaidStep) =>
      setClosed((before) => {
        if (inside === 0) return before;
        const next = new Set(before);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    [],
  );
  const groups = groupKeys(rows);
  return (
    <Panel
      title="Steps"
      note={`${countOf(rows.length, 'step')} in ${formatDuration(totalMs)}`}
      actions={
        (groups.length > 0 || shown === 'failed') && (
          <div className={styles['tools']}>
            {(shown === 'failed' || (rows.length > LONG_LIST && rows.some(({ error }) => error !== null))) && (
              <Button
                small
                aria-pressed={shown === 'failed'}
                onClick={() => setShown(shown === 'failed' ? 'all' : 'failed')}
              >
                Failed only
              </Button>
            )}
            <Button small onClick={() => setClosed(new Set())} disabled={closed.size === 0}>
              Expand all
            </Button>
            <Button small onClick={() => setClosed(new Set(groups))} disabled={closed.size === groups.length}>
              Collapse all
            </Button>
          </div>
        )
      }
    >
      <div className={styles['axis']} aria-hidden="true">
        <span>Step</span>
        <span className={styles['ticks']}>
          {totalMs > 0 &&
            TICKS.map((tick) => (
              <span key={tick} style={{ left: `${tick * 100}%` }}>
                {formatDuration(totalMs * tick)}
              </span>
            ))}
        </span>
        <span className={styles['end']}>Duration</span>
      </div>
      <VirtualRows label="Steps" rows={open} keyOf={keyOf} rowHeight={ROW_HEIGHT}>
        {(row) => <StepRow row={row} open={!closed.has(row.key)} slowest={row.key === slowest} onToggle={toggle} />}
      </VirtualRows>
    </Panel>
  );
};

const keyOf = ({ key }: LaidStep): string => key;
