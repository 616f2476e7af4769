import type { User } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { queryClient, request } from '../../api/client.ts';
import { fieldProblems } from '../../api/problem.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { uploadCommand } from '../docs/snippets.ts';

/** Makes a key and shows it, this once. */
export const KeyDialog = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const make = useMutation({
    mutationFn: (values: FormData) => {
      const day = textOf(values, 'expires');
      return request('createApiKey', {
        params: { id: user.id },
        body: { name: textOf(values, 'name').trim(), expiresAt: day ? endOfDay(day) : null },
      });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['listApiKeys'] }),
  });
  const problems = fieldProblems(make.error);
  if (make.data) {
    return (
      <Dialog title={`API key ${make.data.name}`} wide lasting onClose={onClose}>
        <Notice tone="warn" title="Copy it now">
          It is not shown again; Assay stores only its hash.
        </Notice>
        <CodeBlock what="the key" text={make.data.key} />
        <p>Send a first run with it from a folder with reports:</p>
        <CodeBlock
          what="the command"
          text={`ASSAY_API_KEY=${make.data.key} ${uploadCommand(window.location.origin)}`}
        />
        <p>
          In CI, set the secret <code>ASSAY_API_KEY</code> to the key, or send it as <code>Authorization: Bearer</code>.{' '}
          <Link to={paths.send()}>Send runs</Link> has the lines for each tool.
        </p>
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title={`Create a key for ${user.username}`} onClose={onClose}>
      <Form onSubmit={(values) => make.mutate(values)}>
        <TextField
          label="Name"
          name="name"
          required
          maxLength={200}
          placeholder="GitHub Actions, shop"
          autoComplete="off"
          problem={problems['name']}
        />
        <TextField
          label="Expires on"
          name="expires"
          type="date"
          min={today()}
          hint="Leave empty for a key that never expires"
          problem={problems['expiresAt']}
        />
        {user.role === 'user' && (
          <Notice tone="warn">
            {user.username} has the role User, which may not send runs; the key would be refused.
          </Notice>
        )}
        <Failure error={make.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={make.isPending}>
            Create key
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
};

/** The last moment of a day in the reader's zone. */
const endOfDay = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();

const today = (): string => new Date().toLocaleDateString('sv');
