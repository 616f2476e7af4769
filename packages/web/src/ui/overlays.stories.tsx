import { useState } from 'react';
import { Confirm } from './confirm.tsx';
import { Menu } from './menu.tsx';

export const MenuWithThree = () => {
  const [taken, setTaken] = useState('nothing');
  return (
    <>
      <Menu label="More" button="…">
        {['First', 'Second', 'Third'].map((name) => (
          <button key={name} type="button" onClick={() => setTaken(name)}>
            {name}
          </button>
        ))}
      </Menu>
      <p role="status">Taken: {taken}</p>
    </>
  );
};

export const ConfirmDeletion = () => {
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Delete
      </button>
      {open && (
        <Confirm title="Delete it?" action="Delete it" pending={false} error={null} onConfirm={close} onClose={close}>
          It cannot be undone.
        </Confirm>
      )}
    </>
  );
};
