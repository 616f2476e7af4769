import { MERGED_REPORT_LABEL, type RunDetails } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { queryClient, request } from '../../api/client.ts';
import { useRights } from '../../api/session.ts';
import { formatBytes } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Fold } from '../../ui/fold.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './run-aside.module.css';

/** The reports that came with the run; those of shards can be made one. */
export const RunReports = ({ run }: { readonly run: RunDetails }) => {
  const { submitter } = useRights();
  const merge = useMutation({
    mutationFn: () => request('mergeReports', { params: { id: run.id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['getRun', { params: { id: run.id } }] }),
  });
  const mergeable = submitter && hasUnmergedBlob(run.reports);
  return (
    <Fold title="Reports" note={run.reports.length}>
      <ul className={styles['reports']}>
        {run.reports.map(({ id, label, path, size }) => (
          <li key={id}>
            <a href={`/api/files/${path}`} target="_blank" rel="noreferrer">
              {label} <Icon name="outside" size={12} />
              <span className="unseen">, opens in a new tab</span>
            </a>
            <small>{formatBytes(size)}</small>
          </li>
        ))}
        {mergeable && (
          <li>
            <Button small disabled={merge.isPending} onClick={() => merge.mutate()}>
              {merge.isPending ? 'Merging; this can take minutes' : 'Merge blob reports into one HTML report'}
            </Button>
          </li>
        )}
      </ul>
      <Failure error={merge.error} />
    </Fold>
  );
};

/** One that came after the merged report, or while there is none. */
const hasUnmergedBlob = (reports: RunDetails['reports']): boolean => {
  const merged = reports.find(({ label }) => label === MERGED_REPORT_LABEL);
  return reports.some(({ id, type }) => type === 'blob' && id > (merged?.id ?? 0));
};
