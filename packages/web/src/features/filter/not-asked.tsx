import type { Found } from '@assay/contract/filter';
import { Notice } from '../../ui/notice.tsx';

/** That a filter could not be asked of all rows, so that nobody takes what it found for everything. */
export const NotAsked = ({ failed, of }: { readonly failed: Found<unknown>['failed']; readonly of: number }) =>
  failed && (
    <Notice
      tone="warn"
      title={`The filter could not be asked of ${failed.count.toLocaleString()} of ${of.toLocaleString()}, which are left out`}
    >
      {failed.message}
    </Notice>
  );
