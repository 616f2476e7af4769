import type { Attachment } from '@assay/contract';
import { fileUrl } from './kinds.ts';
import type { Showing } from './showing.tsx';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** One of the pictures that are compared. */
export interface Part {
  readonly attachment: Attachment;
  readonly label: string;
  readonly showing: Showing;
  readonly size: Size | null;
  readonly onSize: (size: Size) => void;
}

interface PictureProps {
  readonly part: Part;
  /** Of both, so that one pixel is as large in each. */
  readonly union?: Size | null;
}

export const PartPicture = ({ part, union = null }: PictureProps) => {
  const { attachment, label, showing, size, onSize } = part;
  return (
    <img
      src={fileUrl(attachment.path)}
      alt={label}
      width={size?.width}
      height={size?.height}
      style={union && size ? { width: `${(size.width / union.width) * 100}%` } : {}}
      draggable={false}
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
        if (size === null) onSize({ width, height });
      }}
      onError={showing.onError}
    />
  );
};
