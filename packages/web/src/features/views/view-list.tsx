import type { SavedView } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, request } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SaveView } from './save-view.tsx';
import { addressOf } from './view-query.ts';
import styles from './views.module.css';

interface Props {
  readonly projectId: number;
  readonly views: readonly SavedView[];
  /** The one that the page shows. */
  readonly current: number | null;
}

/** The saved views of a project that the reader sees. */
export const ViewList = ({ projectId, views, current }: Props) => (
  <Panel title="Saved views">
    <ul className={styles['views']}>
      {views.map((view) => (
        <li key={view.id}>
          <ViewLine projectId={projectId} view={view} isCurrent={view.id === current} />
        </li>
      ))}
    </ul>
  </Panel>
);

const ViewLine = ({ projectId, view, isCurrent }: { projectId: number; view: SavedView; isCurrent: boolean }) => {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const { id, name, shared, pinned, owner, editable, query } = view;
  const pin = useMutation({
    mutationFn: () => request('updateView', { params: { id }, body: { pinned: !pinned } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['listViews'] }),
  });
  const remove = useMutation({
    mutationFn: () => request('deleteView', { params: { id } }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['listViews'] });
      setDialog(null);
    },
  });
  const file = (format: string): string => `/api/views/${id}/rows?format=${format}`;
  const badge = new URL(`/api/views/${id}/badge.svg`, location.href).href;
  return (
    <div className={styles['view']}>
      <p>
        <Link to={paths.query(projectId, addressOf(query, id))} aria-current={isCurrent ? 'page' : undefined}>
          {name}
        </Link>
        <span className={styles['about']}>
          {shared ? (owner === null ? 'shared' : `shared by ${owner}`) : 'only you see it'}
          {pinned && ', on the project page'}
        </span>
      </p>
      <div className={styles['tools']}>
        <a href={file('csv')} download>
          CSV<span className="unseen"> of {name}</span>
        </a>
        <a href={file('jsonl')} download>
          JSON lines<span className="unseen"> of {name}</span>
        </a>
        {shared && <CopyButton text={`![${name}](${badge})`} what={`badge of ${name} as Markdown`} label="Badge" />}
        {editable && (
          <>
            <Button look="quiet" small disabled={pin.isPending} onClick={() => pin.mutate()}>
              {pinned ? 'Unpin' : 'Pin'}
              <span className="unseen"> {name}</span>
            </Button>
            <Button look="quiet" small onClick={() => setDialog('edit')}>
              Edit<span className="unseen"> {name}</span>
            </Button>
            <Button look="quiet" small onClick={() => setDialog('delete')}>
              Delete<span className="unseen"> {name}</span>
            </Button>
          </>
        )}
      </div>
      <Failure error={pin.error} />
      {dialog === 'edit' && (
        <SaveView
          projectId={projectId}
          query={query}
          view={view}
          onSaved={() => setDialog(null)}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete ${name}`}
          action="Delete view"
          pending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setDialog(null)}
        >
          Badges and files of this view stop working. No result is deleted.
        </Confirm>
      )}
    </div>
  );
};
