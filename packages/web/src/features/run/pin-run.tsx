import type { RunDetails } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { queryClient, request } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Keeps a run whatever retention says, or no longer. */
export const PinRun = ({ run }: { readonly run: RunDetails }) => {
  const { id } = run;
  const pinned = run.pinned === true;
  const pin = useMutation({
    mutationFn: () => request('updateRun', { params: { id }, body: { pinned: !pinned } }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  return (
    <>
      <Button
        square
        aria-label="Pin run"
        aria-pressed={pinned}
        title={pinned ? 'Unpin run: retention may delete it' : 'Pin run: retention keeps it with its files'}
        disabled={pin.isPending}
        onClick={() => pin.mutate()}
      >
        <Icon name={pinned ? 'pinned' : 'pin'} />
      </Button>
      <Failure error={pin.error} />
    </>
  );
};
