import type { Attachment } from '@assay/contract';
import { type ReactNode, useState } from 'react';
import { formatBytes, formatCount } from '../../format/number.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { fileUrl, isTooLarge, kindOf } from './kinds.ts';
import styles from './showing.module.css';

export interface Showing {
  /** Why a picture or a video is not shown; null while nothing speaks against it. */
  readonly why: string | null;
  readonly onError: () => void;
}

export const useShowing = (attachment: Attachment): Showing => {
  const [failure, setFailure] = useState<{ readonly path: string; readonly why: string } | null>(null);
  const { path } = attachment;
  const why = failure?.path === path ? failure.why : null;
  return {
    why: isTooLarge(attachment) ? `${pixelsOf(attachment)!} pixels: too large to be shown here` : why,
    onError: () => void whyNotShown(attachment).then((why) => setFailure({ path, why })),
  };
};

/** A browser does not tell whether a file was not there or not what it claims to be. */
const whyNotShown = async (attachment: Attachment): Promise<string> => {
  const { path, contentType } = attachment;
  try {
    const { ok, status } = await fetch(fileUrl(path), { headers: { range: 'bytes=0-0' } });
    if (status === 404) return 'The file is no longer stored';
    if (!ok) return `The service answered ${status}`;
    const can = kindOf(attachment) === 'video' ? 'a video that this browser can play' : 'a picture that can be shown';
    return `Not ${can}, although it was sent as ${contentType}`;
  } catch {
    return 'The service is not responding';
  }
};

/** In the place of what is not shown: why, and the file itself. */
export const NotShown = ({ attachment, why }: { readonly attachment: Attachment; readonly why: string }) => (
  <div className={styles['not-shown']}>
    <Icon name="warning" />
    <p>{why}</p>
    <Download attachment={attachment} />
  </div>
);

interface DownloadProps {
  readonly attachment: Attachment;
  /** Which of several it is. */
  readonly what?: string;
}

export const Download = ({ attachment: { path, name }, what }: DownloadProps) => (
  <a className={buttonClass({ small: true })} href={fileUrl(path)} download={name} title={`Download ${name}`}>
    <Icon name="download" size={13} />
    Download{what && ` ${what}`}
    <span className="unseen"> {name}</span>
  </a>
);

export const pixelsOf = ({ width, height }: Pick<Attachment, 'width' | 'height'>): string | null =>
  width === null || height === null ? null : `${formatCount(width)} × ${formatCount(height)}`;

/** Its type, size and attempt, as words behind each other. */
export const aboutOf = (attachment: Attachment): string =>
  [attachment.contentType, formatBytes(attachment.size), pixelsOf(attachment), `attempt\u00A0${attachment.attempt + 1}`]
    .filter(Boolean)
    .join(' · ');

/** A name as it was sent: in the direction of its script, and never wider than its place. */
export const FileName = ({ children }: { readonly children: ReactNode }) => (
  <bdi className={styles['name']}>{children}</bdi>
);
