import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { Failure } from './failure.tsx';

interface Props {
  readonly title: string;
  /** What the button does, such as "Delete run". */
  readonly action: string;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What will happen. */
  readonly children: ReactNode;
}

/** Asks once more before something that cannot be undone. */
export const Confirm = ({ title, action, pending, error, onConfirm, onClose, children }: Props) => (
  <Dialog title={title} onClose={onClose}>
    <div>{children}</div>
    <Failure error={error} />
    <DialogActions>
      <Button onClick={onClose}>Cancel</Button>
      <Button look="danger" disabled={pending} onClick={onConfirm}>
        {pending ? 'Working…' : action}
      </Button>
    </DialogActions>
  </Dialog>
);
