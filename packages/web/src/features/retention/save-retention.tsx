import type { RetentionPreview, RetentionSettings } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, request } from '../../api/client.ts';
import { countOf, formatBytes } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Preview } from './dry-run.tsx';
import styles from './retention.module.css';

interface Props {
  /** Null while the fields cannot be read, or are what is stored. */
  readonly changed: RetentionSettings | 'inherit' | null;
  /** What it would delete; undefined until that is known. */
  readonly preview: RetentionPreview | undefined;
  /** Whether there are limits to apply, to all projects. */
  readonly canApply?: boolean;
  readonly onSave: (settings: RetentionSettings | null) => Promise<unknown>;
}

/** Saves limits, after asking once more where they delete something, and applies them at once if that is wanted. */
export const SaveRetention = ({ changed, preview, canApply = false, onSave }: Props) => {
  const [asking, setAsking] = useState(false);
  const save = useMutation({
    mutationFn: () => onSave(changed === 'inherit' ? null : changed),
    async onSuccess() {
      setAsking(false);
      apply.reset();
      await queryClient.invalidateQueries();
    },
  });
  const apply = useMutation({
    mutationFn: () => request('runRetention', {}),
    async onSuccess() {
      save.reset();
      await queryClient.invalidateQueries();
    },
  });
  const deletes = preview !== undefined && preview.runs + preview.strippedRuns > 0;
  return (
    <>
      <div className={styles['actions']}>
        <Button
          look="primary"
          disabled={changed === null || preview === undefined || save.isPending}
          onClick={() => {
            save.reset();
            if (deletes) setAsking(true);
            else save.mutate();
          }}
        >
          {deletes && changed !== null ? 'Save…' : 'Save'}
        </Button>
        {canApply && changed === null && (
          <Button disabled={apply.isPending} onClick={() => apply.mutate()}>
            {apply.isPending ? 'Deleting…' : 'Apply now'}
          </Button>
        )}
        <span className={styles['quiet']}>Applied every hour. Pinned runs and runs that are not complete stay.</span>
      </div>
      {!asking && <Failure error={save.error ?? apply.error} />}
      {save.isSuccess && changed === null && <Notice tone="good">Saved.</Notice>}
      {apply.data && (
        <Notice tone="good">
          {countOf(apply.data.deletedRuns, 'run')} deleted, {formatBytes(apply.data.freedBytes)} given back to the disk.
          The audit log on the storage page has the figures.
        </Notice>
      )}
      {asking && preview && (
        <Confirm
          title="Save these limits?"
          action="Save"
          pending={save.isPending}
          error={save.error}
          onConfirm={() => save.mutate()}
          onClose={() => setAsking(false)}
        >
          <div className={styles['asked']}>
            <Preview preview={preview} />
            <p>It is deleted within the hour. That cannot be undone.</p>
          </div>
        </Confirm>
      )}
    </>
  );
};
