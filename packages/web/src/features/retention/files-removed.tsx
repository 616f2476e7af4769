import { formatExact } from '../../format/time.ts';
import { Notice } from '../../ui/notice.tsx';

/** Said where the files of a run would be. */
export const FilesRemoved = ({ at }: { readonly at: string | undefined }) =>
  at !== undefined && (
    <Notice title="Files were removed by retention">
      The reports, traces and attachments of this run were deleted on{' '}
      <time dateTime={at}>{formatExact(new Date(at))}</time>. Its results stay.
    </Notice>
  );
