import { type ClusterDetails, LONGEST_NOTE } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { queryClient, request } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';

/** Says something of a cluster. */
export const EditCluster = ({ cluster, onClose }: { cluster: ClusterDetails; onClose: () => void }) => {
  const save = useMutation({
    mutationFn: (values: FormData) => {
      const snoozed = textOf(values, 'snoozedUntil');
      const body = {
        note: textOf(values, 'note'),
        assignee: textOf(values, 'assignee'),
        issueUrl: textOf(values, 'issueUrl'),
        snoozedUntil: snoozed === '' ? null : new Date(snoozed).toISOString(),
      };
      return request('updateCluster', { params: { id: cluster.id }, body });
    },
    async onSuccess() {
      await queryClient.invalidateQueries();
      onClose();
    },
  });
  return (
    <Dialog title="Note, assignee, issue and snooze" onClose={onClose}>
      <Form onSubmit={(values) => save.mutate(values)}>
        <TextAreaField
          label="Note"
          name="note"
          rows={4}
          maxLength={LONGEST_NOTE}
          defaultValue={cluster.note ?? ''}
          hint="What is known of it: everyone who meets this failure reads it"
        />
        <TextField
          label="Assignee"
          name="assignee"
          maxLength={200}
          defaultValue={cluster.assignee ?? ''}
          hint="A person or a team"
        />
        <TextField
          label="Issue"
          name="issueUrl"
          type="url"
          defaultValue={cluster.issueUrl ?? ''}
          placeholder="https://"
          hint="Where the problem is tracked"
        />
        <TextField
          label="Snoozed until"
          name="snoozedUntil"
          type="datetime-local"
          defaultValue={localTime(cluster.snoozedUntil)}
          hint="Until then lists say that nobody needs to look at it"
        />
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

/** As the field wants it, in the zone of the reader. */
const localTime = (time: string | null): string => {
  if (time === null) return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
