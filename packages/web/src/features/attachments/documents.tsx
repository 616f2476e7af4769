import type { Attachment } from '@assay/contract';
import { useState } from 'react';
import { formatCount } from '../../format/number.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { useAttachmentPath } from './address.ts';
import { ComparisonView, type Mode } from './comparison.tsx';
import type { Comparison, Grouped } from './group-attachments.ts';
import { aboutOf, Download, FileName } from './showing.tsx';
import { TextAttachment } from './text-attachment.tsx';
import { TextComparisonRow } from './text-comparison.tsx';
import styles from './documents.module.css';

const SHOWN_AT_FIRST = 30;

/** What is not a single picture or video: comparisons in place, texts folded, and other files to be downloaded. */
export const Documents = ({ comparisons, textComparisons, texts, files }: Omit<Grouped, 'media'>) => {
  const [all, setAll] = useState(false);
  const rows = [
    ...textComparisons.map((comparison) => ({
      id: comparison.actual.id,
      row: <TextComparisonRow comparison={comparison} />,
    })),
    ...texts.map((attachment) => ({ id: attachment.id, row: <TextAttachment attachment={attachment} /> })),
    ...files.map((attachment) => ({ id: attachment.id, row: <FileRow attachment={attachment} /> })),
  ];
  const shown = all ? rows : rows.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      {comparisons.map((comparison) => (
        <InPlace key={comparison.actual.id} comparison={comparison} />
      ))}
      {rows.length > 0 && (
        <ul className={styles['rows']} aria-label="Other attachments">
          {shown.map(({ id, row }) => (
            <li key={id}>{row}</li>
          ))}
        </ul>
      )}
      {shown.length < rows.length && (
        <Button small className={styles['more']} onClick={() => setAll(true)}>
          Show {formatCount(rows.length - shown.length)} more
        </Button>
      )}
    </>
  );
};

const InPlace = ({ comparison }: { readonly comparison: Comparison }) => {
  const [mode, setMode] = useState<Mode>('side');
  const pathOf = useAttachmentPath();
  const { name, actual } = comparison;
  return (
    <div className={styles['comparison']}>
      <strong>
        <FileName>{name}</FileName>
      </strong>
      <ComparisonView
        comparison={comparison}
        mode={mode}
        onMode={setMode}
        tools={
          <Link
            to={pathOf(actual.id, { compare: mode })}
            className={buttonClass({ small: true })}
            aria-label={`Full size of ${name}`}
          >
            <Icon name="fullScreen" size={13} />
            Full size
          </Link>
        }
      />
    </div>
  );
};

const FileRow = ({ attachment }: { readonly attachment: Attachment }) => (
  <div className={styles['file']}>
    <Icon name="file" size={12} />
    <FileName>{attachment.name}</FileName>
    <small>{aboutOf(attachment)}</small>
    <Download attachment={attachment} />
  </div>
);
