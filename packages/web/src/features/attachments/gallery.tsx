import type { Attachment } from '@assay/contract';
import { useState } from 'react';
import { formatCount } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Link } from '../../ui/link.tsx';
import { useAttachmentPath } from './address.ts';
import { fileUrl, kindOf } from './kinds.ts';
import { aboutOf, FileName, NotShown, useShowing } from './showing.tsx';
import styles from './gallery.module.css';

const SHOWN_AT_FIRST = 12;
/** What is much higher than wide is shown from its top on. */
const HIGH = 1.4;

/** Pictures and videos in place; each opens in the viewer. */
export const Gallery = ({ media }: { readonly media: readonly Attachment[] }) => {
  const [all, setAll] = useState(false);
  if (media.length === 0) return null;
  const shown = all ? media : media.slice(0, SHOWN_AT_FIRST);
  return (
    <div>
      <ul className={styles['gallery']} aria-label="Pictures and videos">
        {shown.map((attachment) => (
          <li key={attachment.id}>
            <Thumbnail attachment={attachment} />
          </li>
        ))}
      </ul>
      {shown.length < media.length && (
        <Button small className={styles['more']} onClick={() => setAll(true)}>
          Show {formatCount(media.length - shown.length)} more
        </Button>
      )}
    </div>
  );
};

const Thumbnail = ({ attachment }: { readonly attachment: Attachment }) => {
  const { why, onError } = useShowing(attachment);
  const pathOf = useAttachmentPath();
  const { id, name, path } = attachment;
  const isVideo = kindOf(attachment) === 'video';
  return (
    <figure className={styles['thumbnail']}>
      {why !== null ? (
        <NotShown attachment={attachment} why={why} />
      ) : isVideo ? (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          className={styles['frame']}
          src={fileUrl(path)}
          controls
          preload="metadata"
          aria-label={name}
          onError={onError}
        />
      ) : (
        <Link to={pathOf(id)} className={styles['frame']} aria-label={`Open ${name}`}>
          <img
            className={classNames(isHigh(attachment) && styles['high'])}
            src={fileUrl(path)}
            alt=""
            loading="lazy"
            decoding="async"
            onError={onError}
          />
        </Link>
      )}
      <figcaption>
        {isVideo && why === null ? (
          <Link to={pathOf(id)} aria-label={`Open ${name}`}>
            <FileName>{name}</FileName>
          </Link>
        ) : (
          <FileName>{name}</FileName>
        )}
        <small>{aboutOf(attachment)}</small>
      </figcaption>
    </figure>
  );
};

const isHigh = ({ width, height }: Attachment): boolean => width !== null && height !== null && height > width * HIGH;
