import { useMutation } from '@tanstack/react-query';
import { queryClient, request } from '../../api/client.ts';
import { useRights } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';

export const refreshProjects = (): Promise<unknown> =>
  Promise.all(
    ['getProject', 'listProjects', 'searchEverything'].map((name) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  );

/** Archives a project, or takes it back into use. */
export const useArchiving = (id: number, onDone?: () => void) =>
  useMutation({
    mutationFn: (archived: boolean) => request('updateProject', { params: { id }, body: { archived } }),
    async onSuccess() {
      await refreshProjects();
      onDone?.();
    },
  });

/** On the pages of an archived project. */
export const ArchivedNotice = ({ id, archivedAt }: { readonly id: number; readonly archivedAt: string }) => {
  const { administrator } = useRights();
  const archive = useArchiving(id);
  return (
    <>
      <Notice
        title="This project is archived"
        action={
          administrator && (
            <Button disabled={archive.isPending} onClick={() => archive.mutate(false)}>
              Restore
            </Button>
          )
        }
      >
        Archived <Time value={archivedAt} />. It is left out of lists and searches. Runs that are sent to it are stored
        and appear here; it stays archived.
      </Notice>
      <Failure error={archive.error} />
    </>
  );
};
