import { EXPORTS, type ExportFormat } from '@assay/contract';
import { urlOf } from '@assay/contract/request';
import { useState } from 'react';
import { endpoints } from 'virtual:endpoints';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './download-run.module.css';

const FORMATS = Object.keys(EXPORTS) as ExportFormat[];

const HOLDS: Readonly<Record<ExportFormat, string>> = {
  html: 'One file for people, with errors and pictures: it opens in any browser without a network.',
  json: 'The whole run with its results, as Assay takes it: submit it to any Assay to have the same results there.',
  junit: 'For CI servers and most other tools.',
  ctrf: 'The Common Test Report Format.',
  csv: 'One line for each result, for spreadsheets.',
};

/** The run as a file in one of several formats, with what each of them leaves out. */
export const DownloadRun = ({ id }: { readonly id: number }) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button square aria-label="Download run" title="Download run" onClick={() => setOpen(true)}>
        <Icon name="download" />
      </Button>
      {open && (
        <Dialog title={`Download run #${id}`} wide onClose={() => setOpen(false)}>
          <ul className={styles['formats']}>
            {FORMATS.map((format) => (
              <li key={format}>
                <a href={urlOf(endpoints.exportRun, { id }, { format })} download className={buttonClass({})}>
                  {EXPORTS[format].label}
                </a>
                <div>
                  <p>{HOLDS[format]}</p>
                  <p className={styles['loss']}>{EXPORTS[format].loss}</p>
                </div>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
};
