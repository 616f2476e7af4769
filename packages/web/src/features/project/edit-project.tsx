import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/client.ts';
import { fieldProblems, problemOf } from '../../api/problem.ts';
import { paths } from '../../paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TagsField, readTags } from '../projects/tags-field.tsx';
import { refreshProjects, useArchiving } from './archiving.tsx';
import type { ProjectDetails } from './runs.ts';
import styles from './edit-project.module.css';

interface Props {
  readonly project: ProjectDetails;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}

/** What is shown of a project; the name is what runs are sent to and stays. */
export const EditProject = ({ project, onClose, onDelete }: Props) => {
  const [label, setLabel] = useState(project.label ?? '');
  const [description, setDescription] = useState(project.description ?? '');
  const [branch, setBranch] = useState<string | null>(null);
  const [repository, setRepository] = useState(project.repositoryUrl ?? '');
  const [tags, setTags] = useState(project.tags.join(', '));
  const change = useMutation({
    mutationFn: () =>
      request('updateProject', {
        params: { id: project.id },
        body: {
          label: label.trim() || null,
          description: description.trim() || null,
          repositoryUrl: repository.trim() || null,
          tags: readTags(tags),
          // Left as it is unless it was changed here: what the runs say may be another tomorrow.
          ...(branch === null ? {} : { defaultBranch: branch.trim() || null }),
        },
      }),
    async onSuccess() {
      await refreshProjects();
      onClose();
    },
  });
  const archive = useArchiving(project.id, onClose);
  const problems = fieldProblems(change.error);
  const isAtField = Object.keys(problems).length > 0;
  const error = isAtField ? archive.error : (archive.error ?? change.error);
  const elsewhere = error && problemOf(error);
  return (
    <Dialog title="Edit project" onClose={onClose}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <TextField
          label="Label"
          placeholder={project.name}
          hint={`Shown in place of the name. Runs are still sent to “${project.name}”.`}
          problem={problems['label'] && `The label ${problems['label']}`}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <TextAreaField
          label="Description"
          rows={4}
          hint="Below the heading of its pages."
          problem={problems['description'] && `The description ${problems['description']}`}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <TextField
          label="Default branch"
          hint="Stands for the project on the list of projects. Left empty, it is main, master or the branch with most runs."
          problem={problems['defaultBranch'] && `The default branch ${problems['defaultBranch']}`}
          value={branch ?? project.defaultBranch ?? ''}
          onChange={(event) => setBranch(event.target.value)}
        />
        <TextField
          label="Repository address"
          type="url"
          placeholder="https://github.com/acme/shop"
          hint="Commits, files and pull requests link there; it may be a folder of the repository. Left empty, links go where the CI of a run says that it ran."
          problem={problems['repositoryUrl'] && 'The repository address must begin with http:// or https://'}
          value={repository}
          onChange={(event) => setRepository(event.target.value)}
        />
        <TagsField problems={problems} value={tags} onChange={(event) => setTags(event.target.value)} />
        {elsewhere && (
          <Notice tone="bad" title={elsewhere.title}>
            {elsewhere.advice}
          </Notice>
        )}
        <DialogActions>
          <span className={styles['ends']}>
            {project.archivedAt === null && (
              <Button
                title="Leaves it out of lists and searches; nothing is deleted"
                disabled={archive.isPending}
                onClick={() => archive.mutate(true)}
              >
                Archive
              </Button>
            )}
            <Link to={paths.retention(project.id)} className={buttonClass({})}>
              Retention
            </Link>
            <Button onClick={onDelete}>Delete project…</Button>
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={change.isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
