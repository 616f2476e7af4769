import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { queryClient, request } from '../../api/client.ts';
import { fieldProblems } from '../../api/problem.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { TagsField, readTags } from './tags-field.tsx';

/** Leads to the page of the new project, which says how to send its first run. */
export const CreateProject = ({ onClose }: { readonly onClose: () => void }) => {
  const [, navigate] = useLocation();
  const create = useMutation({
    mutationFn: (values: FormData) =>
      request('createProject', {
        body: {
          name: textOf(values, 'name'),
          label: textOf(values, 'label').trim() || null,
          tags: readTags(textOf(values, 'tags')),
        },
      }),
    onSuccess({ id }) {
      void queryClient.invalidateQueries({ queryKey: ['listProjects'] });
      navigate(paths.project(id));
    },
  });
  const problems = fieldProblems(create.error);
  const isAtField = Object.keys(problems).length > 0;
  return (
    <Dialog title="New project" onClose={onClose}>
      <Form onSubmit={(values) => create.mutate(values)}>
        <TextField
          label="Name"
          name="name"
          required
          autoComplete="off"
          maxLength={200}
          hint="What runs are sent to. It stays; the label can be changed."
          problem={problems['name'] && `The name ${problems['name']}`}
        />
        <TextField
          label="Label"
          name="label"
          autoComplete="off"
          hint="Shown in place of the name."
          problem={problems['label'] && `The label ${problems['label']}`}
        />
        <TagsField name="tags" problems={problems} />
        {!isAtField && <Failure error={create.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={create.isPending}>
            Create project
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
};
