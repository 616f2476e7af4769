import { LONGEST_VIEW_NAME, type SavedView, type ViewQuery } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { queryClient, request } from '../../api/client.ts';
import { useRights } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import styles from './views.module.css';

interface Props {
  readonly projectId: number;
  readonly query: ViewQuery;
  /** The one to change; a new one without it. */
  readonly view?: SavedView | undefined;
  readonly onSaved: (view: SavedView) => void;
  readonly onClose: () => void;
}

/** Keeps a query under a name. */
export const SaveView = ({ projectId, query, view, onSaved, onClose }: Props) => {
  const { authEnabled } = useRights();
  const save = useMutation({
    mutationFn: (values: FormData) => {
      const body = {
        name: textOf(values, 'name'),
        shared: !authEnabled || values.get('shared') !== null,
        pinned: values.get('pinned') !== null,
        query,
      };
      return view
        ? request('updateView', { params: { id: view.id }, body })
        : request('createView', { params: { id: projectId }, body });
    },
    async onSuccess(saved) {
      await queryClient.invalidateQueries({ queryKey: ['listViews'] });
      onSaved(saved);
    },
  });
  return (
    <Dialog title={view ? 'Change view' : 'Save view'} onClose={onClose}>
      <Form onSubmit={(values) => save.mutate(values)}>
        <TextField
          label="Name"
          name="name"
          required
          maxLength={LONGEST_VIEW_NAME}
          defaultValue={view?.name ?? ''}
          autoComplete="off"
        />
        {authEnabled && (
          <label className={styles['check']}>
            <input type="checkbox" name="shared" defaultChecked={view?.shared ?? false} />
            Share it with everyone who reads this project
          </label>
        )}
        <label className={styles['check']}>
          <input type="checkbox" name="pinned" defaultChecked={view?.pinned ?? false} />
          Show it on the page of the project
        </label>
        <Failure error={save.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
};
