import type { QueryOver, QueryReply, ViewQuery } from '@assay/contract';
import { withStatuses } from '@assay/contract/filter';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { ask, request, requestPage } from '../../api/client.ts';
import { useRights } from '../../api/session.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { useNow } from '../../ui/clock.ts';
import { Failure } from '../../ui/failure.tsx';
import { InlineSelect } from '../../ui/inline-select.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { FilterBox } from '../filter/filter-box.tsx';
import { readText } from '../filter/read-filter.ts';
import { useFilterText } from '../filter/use-filter.ts';
import { ProjectFrame } from '../project/project-frame.tsx';
import { useWindow } from '../window/window.ts';
import { QueryRows } from './query-rows.tsx';
import { SaveView } from './save-view.tsx';
import { ViewList } from './view-list.tsx';
import {
  DEFAULT_DAYS,
  FIELDS,
  OVERS,
  addressOf,
  askedOf,
  daysOf,
  groupsOf,
  ordersOf,
  readAddress,
} from './view-query.ts';
import styles from './views.module.css';

const NO_VALUES = new Map();

/** Asks anything of all stored runs of a project, and keeps questions under a name. */
export const QueryPage = ({ id }: { readonly id: number }) => {
  const chosen = useWindow(id);
  const { submitter } = useRights();
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const query = useMemo(() => readAddress(search), [search]);
  const { data: saved } = useQuery(ask('listViews', { params: { id } }));
  const [saving, setSaving] = useState(false);
  const opened = saved?.views.find((view) => String(view.id) === search.get('view'));
  // One whose question has been changed here is not what is shown.
  const current = opened && isSame(opened.query, query) ? opened.id : null;
  const go = (change: Partial<Record<'over' | 'by' | 'order' | 'days' | 'branch', string>>): void => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(change)) next.set(name, value);
    next.delete('view');
    navigate(paths.query(id, addressOf(readAddress(next))));
  };
  return (
    <ProjectFrame projectId={id} title="Query" window={chosen} hideWindow>
      {saved && saved.views.length > 0 && <ViewList projectId={id} views={saved.views} current={current} />}
      <Panel
        title="Query"
        note="over all stored runs"
        actions={submitter && <Button onClick={() => setSaving(true)}>Save view</Button>}
      >
        <div className={styles['bar']}>
          <Choice<QueryOver> label="Over" value={query.over} options={OVERS} onChange={(over) => go({ over })} />
          <InlineSelect
            label="Days"
            value={String(query.days ?? DEFAULT_DAYS)}
            options={daysOf(query.days ?? DEFAULT_DAYS)}
            onChange={(days) => go({ days })}
          />
          <InlineSelect
            label="Groups"
            value={query.by ?? ''}
            options={groupsOf(query.over)}
            onChange={(by) => go({ by })}
          />
          {!query.by && (
            <InlineSelect
              label="Order"
              value={query.order ?? ''}
              options={ordersOf(query.over, query.order ?? '')}
              onChange={(order) => go({ order })}
            />
          )}
          {query.branch !== undefined && (
            <Button small onClick={() => go({ branch: '' })}>
              Only branch {query.branch}: show all
            </Button>
          )}
        </div>
        <Asked key={query.over} projectId={id} query={query} />
      </Panel>
      {saving && (
        <SaveView
          projectId={id}
          query={query}
          onSaved={(view) => {
            setSaving(false);
            navigate(paths.query(id, addressOf(view.query, view.id)));
          }}
          onClose={() => setSaving(false)}
        />
      )}
    </ProjectFrame>
  );
};

const isSame = (a: ViewQuery, b: ViewQuery): boolean => JSON.stringify(addressOf(a)) === JSON.stringify(addressOf(b));

/** With the statuses that the project has, of which some may be a runner's own. */
const useCatalogue = (projectId: number, over: QueryOver) => {
  // The latest of each test: to count all results would read all of them.
  const of: QueryOver = over === 'runs' ? 'runs' : 'tests';
  const asked = { over: of, project: projectId, by: 'status', figures: 'count' } as const;
  const { data } = useQuery({
    queryKey: ['query', { params: { id: projectId } }, asked],
    queryFn: ({ signal }) => request('query', { query: asked }, signal),
  });
  return useMemo(() => withStatuses(FIELDS[over], data?.groups?.flatMap(({ key }) => key ?? []) ?? []), [data, over]);
};

interface AskedProps {
  readonly projectId: number;
  readonly query: ViewQuery;
}

const Asked = ({ projectId, query }: AskedProps) => {
  const catalogue = useCatalogue(projectId, query.over);
  const read = useCallback((text: string) => readText(text, catalogue), [catalogue]);
  const state = useFilterText(read);
  const { filter = '' } = query;
  const [valid, setValid] = useState('');
  if (filter !== valid && read(filter).ok) setValid(filter);
  return (
    <>
      <div className={styles['filter']}>
        <FilterBox
          label="Filter"
          state={state}
          catalogue={catalogue}
          loaded={NO_VALUES}
          examples={catalogue.examples}
        />
      </div>
      <Answer projectId={projectId} query={{ ...query, filter: valid }} />
    </>
  );
};

const Answer = ({ projectId, query }: AskedProps) => {
  const asked = askedOf(query, projectId, useNow());
  const answer = useInfiniteQuery({
    queryKey: ['query', { params: { id: projectId } }, asked, 'pages'],
    queryFn: ({ pageParam, signal }) => requestPage('query', { query: { ...asked, ...pageParam } }, signal),
    initialPageParam: {},
    getNextPageParam: ({ body }) => (body.nextCursor === null ? null : { cursor: body.nextCursor }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const pages = answer.data?.pages.map(({ body }) => body) ?? [];
  const isEmpty = countRows(pages) === 0;
  return (
    <>
      <div aria-busy={answer.isPlaceholderData}>
        <Loaded query={answer} rows={8}>
          {() =>
            isEmpty ? (
              <Empty title="Nothing found">
                <p>Look further back, or change the filter.</p>
              </Empty>
            ) : (
              <>
                <Found pages={pages} />
                <QueryRows pages={pages} by={query.by} />
              </>
            )
          }
        </Loaded>
      </div>
      {answer.hasNextPage && (
        <div className={styles['more']}>
          <Button disabled={answer.isFetchingNextPage} onClick={() => void answer.fetchNextPage()}>
            {answer.isFetchingNextPage ? 'Loading…' : isEmpty ? 'Look at older runs' : 'Show more'}
          </Button>
          <Failure error={answer.isFetchNextPageError ? answer.error : null} />
        </div>
      )}
    </>
  );
};

const countRows = (pages: readonly QueryReply[]): number =>
  pages.reduce(
    (sum, { results, runs, tests, clusters, groups }) =>
      sum + (results ?? runs ?? tests ?? clusters ?? groups ?? []).length,
    0,
  );

const Found = ({ pages: [first] }: { readonly pages: readonly QueryReply[] }) =>
  first?.found !== undefined && (
    <p className={styles['found']}>
      {countOf(first.found, 'row')} in {countOf(first.totalGroups ?? 0, 'group')}
      {!first.complete && '; older results were not looked at'}
    </p>
  );
