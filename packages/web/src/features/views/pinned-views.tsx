import type { SavedView } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { ask, request } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { useNow } from '../../ui/clock.ts';
import { Failure } from '../../ui/failure.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { DEFAULT_DAYS, addressOf, askedOf, daily } from './view-query.ts';
import styles from './views.module.css';

/** The line of a view that looks further back is of its latest days. */
const MOST_TREND_DAYS = 90;

/** The saved views that are pinned, each with its figure and how that came about day by day. */
export const PinnedViews = ({ projectId }: { readonly projectId: number }) => {
  const { data } = useQuery(ask('listViews', { params: { id: projectId } }));
  const pinned = data?.views.filter((view) => view.pinned) ?? [];
  if (pinned.length === 0) return null;
  return (
    <Panel title="Saved views">
      <ul className={styles['pinned']}>
        {pinned.map((view) => (
          <li key={view.id}>
            <PinnedView view={view} />
          </li>
        ))}
      </ul>
    </Panel>
  );
};

const ROWS = { results: 'result', runs: 'run', tests: 'test', clusters: 'cluster' } as const;

const PinnedView = ({ view: { id, projectId, name, query } }: { readonly view: SavedView }) => {
  const now = useNow();
  const { order: _order, by: _by, ...plain } = query;
  const hasDays = query.over === 'results' || query.over === 'runs';
  const asked = { ...askedOf(plain, projectId, now), ...(hasDays ? { by: 'day' as const } : {}), figures: 'count' };
  const answer = useQuery({
    queryKey: ['query', { params: { id: projectId } }, asked],
    queryFn: ({ signal }) => request('query', { query: asked }, signal),
    retry: false,
  });
  const days = query.days ?? DEFAULT_DAYS;
  const shownDays = Math.min(days, MOST_TREND_DAYS);
  const { found, groups, complete } = answer.data ?? {};
  const counts = hasDays && groups && shownDays > 1 ? daily(groups, shownDays, now) : null;
  return (
    <>
      <Link to={paths.query(projectId, addressOf(query, id))}>{name}</Link>
      <Failure error={answer.error} />
      {found !== undefined && (
        <div className={styles['figure']}>
          <strong title={countOf(found, ROWS[query.over])}>
            {complete ? '' : 'at least '}
            {formatCount(found)}
          </strong>
          {counts && (
            <Sparkline
              values={counts}
              from={0}
              label={`${name} day by day, the last ${shownDays} days: ${counts.at(-1)} today, at most ${Math.max(...counts)}`}
            />
          )}
          <span>
            {ROWS[query.over]}
            {found === 1 ? '' : 's'}, {days === 1 ? 'today' : `last ${days} days`}
          </span>
        </div>
      )}
    </>
  );
};
