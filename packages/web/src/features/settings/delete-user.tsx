import type { User } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { queryClient, request } from '../../api/client.ts';
import { Confirm } from '../../ui/confirm.tsx';

export const DeleteUser = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const remove = useMutation({
    mutationFn: () => request('deleteUser', { params: { id: user.id } }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['listUsers'] });
      onClose();
    },
  });
  return (
    <Confirm
      title={`Delete ${user.username}?`}
      action="Delete user"
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Their sessions end and their API keys stop working at once. The runs they sent stay.
    </Confirm>
  );
};
