import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { hasFiles } from './dropped-files.ts';
import { ImportReports } from './import-reports.tsx';

/** A button for importing reports into a project; dragging files over its page does the same. */
export const ImportAction = ({ projectName }: { readonly projectName: string }) => {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = ({ dataTransfer }: DragEvent): void => {
      if (hasFiles(dataTransfer)) setOpen(true);
    };
    window.addEventListener('dragenter', open);
    return () => window.removeEventListener('dragenter', open);
  }, []);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Import</Button>
      {isOpen && (
        <Dialog title="Import reports" wide onClose={() => setOpen(false)}>
          <ImportReports projectName={projectName} />
        </Dialog>
      )}
    </>
  );
};
