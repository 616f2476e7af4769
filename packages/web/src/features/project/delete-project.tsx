import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ask, queryClient, request } from '../../api/client.ts';
import { countOf, formatBytes } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import type { ProjectDetails } from './runs.ts';

interface Props {
  readonly project: Pick<ProjectDetails, 'id' | 'name'>;
  readonly onClose: () => void;
}

/** Asks for the name of the project before it goes: what it has cannot be brought back. */
export const DeleteProject = ({ project: { id, name }, onClose }: Props) => {
  const [typed, setTyped] = useState('');
  const [, navigate] = useLocation();
  const { data } = useQuery(ask('getStorage', {}));
  const stored = data?.projects.find((project) => project.id === id);
  const remove = useMutation({
    mutationFn: () => request('deleteProject', { params: { id } }),
    onSuccess: () => {
      navigate(paths.projects(), { replace: true });
      void queryClient.invalidateQueries();
    },
  });
  return (
    <Dialog title={`Delete project ${name}?`} onClose={onClose}>
      <Form onSubmit={() => remove.mutate()}>
        {stored ? (
          <p>
            {countOf(stored.runs, 'run')} with {countOf(stored.results, 'result')}, {countOf(stored.reports, 'report')},{' '}
            {countOf(stored.traces, 'trace')} and {countOf(stored.attachments, 'attachment')} go,{' '}
            {formatBytes(stored.databaseBytes + stored.fileBytes)} in all. This cannot be undone.
          </p>
        ) : (
          <p>All of its runs, results and files go. This cannot be undone.</p>
        )}
        <p>A run that is sent to “{name}” afterwards makes a new project.</p>
        <TextField
          label="Name of the project"
          hint={`Type ${name} to delete it.`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Failure error={remove.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" disabled={typed.trim() !== name.trim() || remove.isPending}>
            {remove.isPending ? 'Working…' : 'Delete project'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
};
