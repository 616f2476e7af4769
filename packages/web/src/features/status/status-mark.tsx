import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { type Look, lookOfCase, lookOfRun, statusWords } from './outcome.ts';
import styles from './status.module.css';

/** Each has its own shape: colour alone tells nothing to one reader in twelve. */
const SHAPES: Record<Look, ReactNode> = {
  passed: <path d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1ZM4.7 8.300l2.3 2.3 4.4-4.9" />,
  failed: <path d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1ZM5.5 5.500l5 5M10.5 5.500l-5 5" />,
  flaky: <path d="M8 1.2 15 14H1ZM4.8 11.300l1.9-3 2 2.4 1.9-3" />,
  skipped: <path d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1ZM5 8h6" />,
  running: <path d="M8 1.500a6.5 6.5 0 1 1-6.5 6.5" />,
  other: <path d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1ZM8 7.800v.4M5.2 7.800v.4M10.8 7.800v.4" />,
};

const FILLED: Record<Look, boolean> = {
  passed: true,
  failed: true,
  flaky: true,
  skipped: false,
  running: false,
  other: false,
};

interface MarkProps {
  readonly look: Look;
  /** Said by a screen reader and on hover; without it the mark only decorates words beside it. */
  readonly label?: string | undefined;
  readonly size?: number;
}

export const LookMark = ({ look, label, size = 16 }: MarkProps) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    className={classNames(styles['mark'], styles[look])}
    fill={FILLED[look] ? 'currentColor' : 'none'}
    fillOpacity="0.16"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    role={label ? 'img' : undefined}
    aria-hidden={label ? undefined : true}
  >
    {label && <title>{label}</title>}
    {SHAPES[look]}
  </svg>
);

export const RunMark = ({ status, size }: { readonly status: string; readonly size?: number }) => (
  <LookMark look={lookOfRun(status)} label={statusWords(status)} {...(size ? { size } : {})} />
);

interface CaseProps {
  readonly status: string;
  readonly retries: number;
}

export const CaseMark = ({ status, retries }: CaseProps) => {
  const look = lookOfCase(status, retries);
  return <LookMark look={look} label={statusWords(status, look === 'flaky')} />;
};

/** The mark with its words. */
export const StatusBadge = ({ status, retries = 0 }: { readonly status: string; readonly retries?: number }) => {
  const look = lookOfCase(status, retries);
  return (
    <span className={classNames(styles['badge'], styles[look])}>
      <LookMark look={look} size={14} />
      {statusWords(status, look === 'flaky')}
    </span>
  );
};
