import type { RunWindow } from '@assay/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { formatDay } from '../../format/time.ts';
import { InlineSelect } from '../../ui/inline-select.tsx';
import { BranchSwitch } from './branch-switch.tsx';
import { ALL_TIME, readSpan } from './span.ts';
import type { ChosenWindow } from './window.ts';
import styles from './window-bar.module.css';

const CUSTOM = 'custom';
/** The words of a choice are the same on all days. */
const ANY_DAY = new Date(0);

interface Props {
  readonly projectId: number;
  readonly window: ChosenWindow;
}

/** Which branch and which days the page is of, the same on all pages of a project. */
export const WindowBar = ({ projectId, window }: Props) => {
  const { span, setSpan, query, choices } = window;
  const [choosing, setChoosing] = useState(false);
  const isOffered = choices.some((choice) => choice === span.text);
  const custom = choosing || !isOffered;
  const { data: found } = useQuery({
    ...ask('getWindow', { params: { id: projectId }, query: query ?? {} }),
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <div className={styles['bar']}>
      <BranchSwitch projectId={projectId} window={window} />
      <InlineSelect
        label="Period"
        value={custom ? CUSTOM : span.text}
        options={[
          ...choices.map((value) => ({ value, label: capitalised(readSpan(value, ANY_DAY, ALL_TIME).words) })),
          { value: CUSTOM, label: isOffered ? 'Custom days…' : capitalised(span.words) },
        ]}
        onChange={(value) => {
          setChoosing(value === CUSTOM);
          if (value !== CUSTOM) setSpan(value);
        }}
      />
      {custom && <Days text={span.text} onChange={setSpan} />}
      {found && <p className={styles['words']}>{wordsOf(found)}</p>}
    </div>
  );
};

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const Days = ({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) => {
  const [given = '', givenEnd = ''] = text.includes('..') ? text.split('..') : [];
  const [from, setFrom] = useState(given);
  const [to, setTo] = useState(givenEnd);
  const put = (first: string, last: string): void => {
    setFrom(first);
    setTo(last);
    if (first && last && first <= last) onChange(`${first}..${last}`);
  };
  return (
    <span className={styles['days']}>
      <input
        type="date"
        aria-label="First day"
        value={from}
        max={to}
        onChange={(event) => put(event.target.value, to)}
      />
      {' – '}
      <input
        type="date"
        aria-label="Last day"
        value={to}
        min={from}
        onChange={(event) => put(from, event.target.value)}
      />
    </span>
  );
};

/** `62 runs, 3 Nov – 16 Nov` */
const wordsOf = ({ runs, allRuns, firstRun, lastRun }: RunWindow): string => {
  if (!firstRun || !lastRun) return 'No runs';
  const [first, last] = [firstRun, lastRun].map(({ startTime }) => formatDay(new Date(startTime)));
  const days = first === last ? first : `${first} – ${last}`;
  return `${allRuns > runs ? `Latest ${formatCount(runs)} of ${countOf(allRuns, 'run')}` : countOf(runs, 'run')}, ${days}`;
};
