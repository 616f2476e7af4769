import type { CleanupPreview } from '@assay/contract';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddressPart } from '../../address.ts';
import { ask, queryClient, request } from '../../api/client.ts';
import { countOf, formatBytes } from '../../format/number.ts';
import { formatExact } from '../../format/time.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { TextField } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './settings.module.css';

const DAYS = 90;
const MOST_DAYS = 36_500;

/** Deletes old runs, after showing what would go. */
export const Cleanup = () => {
  const [text, setText] = useAddressPart('days', String(DAYS));
  const [confirming, setConfirming] = useState(false);
  const days = Number(text);
  const valid = Number.isInteger(days) && days >= 1 && days <= MOST_DAYS;
  const preview = useQuery({
    ...ask('previewCleanup', { query: { olderThanDays: days } }),
    enabled: valid,
    placeholderData: keepPreviousData,
  });
  const clean = useMutation({
    mutationFn: () => request('cleanUp', { body: { olderThanDays: days } }),
    async onSuccess() {
      setConfirming(false);
      await queryClient.invalidateQueries();
    },
  });
  return (
    <Panel title="Cleanup" padded>
      <div className={styles['stack']}>
        <div className={styles['cleanup']}>
          <TextField
            label="Delete runs older than (days)"
            type="number"
            min={1}
            max={MOST_DAYS}
            value={text}
            problem={valid ? undefined : 'A whole number of days, from 1'}
            onChange={(event) => setText(event.target.value, { replace: true })}
          />
          <Button
            look="danger"
            disabled={!valid || (preview.data?.runs ?? 0) === 0}
            onClick={() => {
              clean.reset();
              setConfirming(true);
            }}
          >
            Delete {countOf(preview.data?.runs ?? 0, 'run')}
          </Button>
        </div>
        {valid && (
          <Loaded query={preview} rows={2}>
            {(data) => <Preview {...data} />}
          </Loaded>
        )}
        {clean.data && (
          <Notice tone="good">
            {countOf(clean.data.deletedRuns, 'run')} deleted, {formatBytes(clean.data.freedBytes)} given back to the
            disk.
          </Notice>
        )}
      </div>
      {confirming && preview.data && (
        <Confirm
          title={`Delete ${countOf(preview.data.runs, 'run')}?`}
          action="Delete runs"
          pending={clean.isPending}
          error={clean.error}
          onConfirm={() => clean.mutate()}
          onClose={() => setConfirming(false)}
        >
          <Preview {...preview.data} />
          <p>Pinned runs go too. This cannot be undone.</p>
        </Confirm>
      )}
    </Panel>
  );
};

const Preview = ({ fileBytes, startedBefore, projects, ...gone }: CleanupPreview) => {
  const { runs, results, reports, traces, attachments } = gone;
  if (runs === 0) return <p>No run started before {formatExact(new Date(startedBefore))}.</p>;
  return (
    <>
      <p>
        {countOf(runs, 'run')} that started before {formatExact(new Date(startedBefore))} would go, with{' '}
        {countOf(results, 'result')}, {countOf(reports, 'report')}, {countOf(traces, 'trace')} and{' '}
        {countOf(attachments, 'attachment')} ({formatBytes(fileBytes)} of files; what newer runs share stays).
      </p>
      <ul>
        {projects.map(({ id, name, runs: gone, runsLeft }) => (
          <li key={id}>
            {name}: {countOf(gone, 'run')} of {gone + runsLeft}
            {runsLeft === 0 && ', all of them'}
          </li>
        ))}
      </ul>
    </>
  );
};
