import type { RunDetails } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { queryClient, request } from '../../api/client.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icon.tsx';

export const DeleteRun = ({ run }: { readonly run: RunDetails }) => {
  const [asking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => request('deleteRun', { params: { id: run.id } }),
    onSuccess: () => {
      navigate(paths.project(run.projectId), { replace: true });
      void queryClient.invalidateQueries();
    },
  });
  const reports = run.reports.length > 0 ? `, ${countOf(run.reports.length, 'report')}` : '';
  return (
    <>
      <Button square aria-label="Delete run" title="Delete run" onClick={() => setAsking(true)}>
        <Icon name="bin" />
      </Button>
      {asking && (
        <Confirm
          title={`Delete run #${run.id}?`}
          action="Delete run"
          pending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          {countOf(run.totalTests, 'result')}
          {reports} and the traces of this run go, and the history of its tests loses this run. This cannot be undone.
        </Confirm>
      )}
    </>
  );
};
