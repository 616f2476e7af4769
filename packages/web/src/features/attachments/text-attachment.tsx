import type { Attachment } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatBytes } from '../../format/number.ts';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { OutputText } from '../error/error-text.tsx';
import { aboutOf, Download, FileName } from './showing.tsx';
import { askText, MOST_BYTES, type ReadText } from './texts.ts';
import styles from './text-attachment.module.css';

const LINES = 60;

/** A text, folded until one asks for it. */
export const TextAttachment = ({ attachment }: { readonly attachment: Attachment }) => (
  <Folded name={attachment.name} about={aboutOf(attachment)} tools={<Download attachment={attachment} />}>
    <WholeText attachment={attachment} />
  </Folded>
);

const WholeText = ({ attachment }: { readonly attachment: Attachment }) => {
  const query = useQuery(askText(attachment));
  return (
    <Loaded query={query} rows={3}>
      {(read) => (
        <>
          <Limits read={read} attachment={attachment} />
          {!read.isBinary && read.text !== '' && <OutputText text={read.text} lines={LINES} what={attachment.name} />}
        </>
      )}
    </Loaded>
  );
};

/** What keeps a text from being all that was sent. */
export const Limits = ({ read, attachment }: { readonly read: ReadText; readonly attachment: Attachment }) => {
  if (read.isBinary) {
    return <p className={styles['note']}>Not a text, although it was sent as {attachment.contentType}.</p>;
  }
  if (read.text === '') return <p className={styles['note']}>It is empty.</p>;
  if (!read.isCut) return null;
  return (
    <p className={styles['note']}>
      The first {formatBytes(MOST_BYTES)} of {formatBytes(attachment.size)}; the rest is in the file.
    </p>
  );
};

interface FoldedProps {
  readonly name: string;
  readonly about: string;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** One line that opens what is below it; nothing is read before. */
export const Folded = ({ name, about, tools, children }: FoldedProps) => {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles['folded']} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevronRight" size={12} />
        <FileName>{name}</FileName>
        <small>{about}</small>
      </summary>
      {open && (
        <div className={styles['inside']}>
          {tools && <div>{tools}</div>}
          {children}
        </div>
      )}
    </details>
  );
};
