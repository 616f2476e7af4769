import { memo } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { countOf } from '../../format/number.ts';
import { classNames } from '../../ui/class-names.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { AnsiText } from '../error/ansi-text.tsx';
import { LookMark } from '../status/status-mark.tsx';
import type { LaidStep } from './waterfall.ts';
import styles from './step-row.module.css';

interface Props {
  readonly row: LaidStep;
  readonly open: boolean;
  readonly slowest: boolean;
  readonly onToggle: (row: LaidStep) => void;
}

const KINDS: Readonly<Record<string, { readonly icon: IconName; readonly word: string }>> = {
  hook: { icon: 'gear', word: 'hook' },
  fixture: { icon: 'gear', word: 'fixture' },
  'test.step': { icon: 'list', word: 'step' },
  'pw:api': { icon: 'pointer', word: 'action' },
  expect: { icon: 'check', word: 'expect' },
  'test.attach': { icon: 'file', word: 'attachment' },
};
const INDENT_REM = 1.1;
const DEEPEST_INDENT = 12;
const ERROR_LINES = 8;

export const StepRow = memo(({ row, open, slowest, onToggle }: Props) => {
  const { depth, title, category, durationMs, from, share, error, blamed, steps } = row;
  const kind = category === null ? undefined : KINDS[category];
  const indent = `${Math.min(depth, DEEPEST_INDENT) * INDENT_REM}rem`;
  return (
    <>
      <div className={classNames(styles['row'], error !== null && styles['failed'])}>
        <span className={styles['what']} style={{ paddingInlineStart: indent }}>
          {steps > 0 ? (
            <button
              type="button"
              className={styles['toggle']}
              aria-expanded={open}
              aria-label={`${open ? 'Collapse' : 'Expand'} ${title}`}
              onClick={() => onToggle(row)}
            >
              <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />
            </button>
          ) : (
            <span className={styles['toggle']} />
          )}
          {error === null ? (
            <span className={styles['icon']}>
              <Icon name={kind?.icon ?? 'list'} size={13} />
            </span>
          ) : (
            <LookMark look="failed" size={14} label="Failed" />
          )}
          <span className={styles['title']} title={title}>
            {title}
          </span>
          {category !== null && <span className={styles['kind']}>{kind?.word ?? category}</span>}
          {steps > 0 && !open && <span className={styles['kind']}>{countOf(steps, 'step')} inside</span>}
          {slowest && <span className={styles['slowest']}>slowest</span>}
        </span>
        <span className={styles['lane']} aria-hidden="true">
          <i
            className={classNames(styles['bar'], slowest && styles['slow'], steps > 0 && styles['group'])}
            style={{ left: `${from * 100}%`, width: `${share * 100}%` }}
          />
        </span>
        <span className={styles['duration']}>{formatDuration(durationMs)}</span>
      </div>
      {blamed && error !== null && (
        <pre className={styles['error']} style={{ marginInlineStart: `calc(${indent} + 3rem)` }}>
          <AnsiText text={shortened(error)} />
        </pre>
      )}
    </>
  );
});

const shortened = (error: string): string => {
  const lines = error.trimEnd().split('\n');
  return lines.length <= ERROR_LINES + 1 ? lines.join('\n') : [...lines.slice(0, ERROR_LINES), '…'].join('\n');
};
