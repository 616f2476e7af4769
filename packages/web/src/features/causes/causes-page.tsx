import { type Cause, type Causes, MOST_COUNTED_CAUSES } from '@assay/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useAddressPart } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/notice.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { Reveal } from '../../ui/reveal.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { ErrorText } from '../error/error-text.tsx';
import { ProjectPanelPage } from '../project/project-panel-page.tsx';
import { HistoryStrip } from '../status/history-strip.tsx';
import { type ChosenWindow, useWindow } from '../window/window.ts';
import { CauseFailures } from './cause-failures.tsx';
import styles from './causes-page.module.css';

const SHOWN_HISTORY = 60;
/** Characters of a cause that a search takes. */
const MOST_SEARCHED = 200;
/** In the address while no cause is open; no cause is this, while one may be empty. */
const NONE = ' ';

/** Why tests of a project fail, over a branch and some days. */
export const CausesPage = ({ id }: { readonly id: number }) => {
  const chosen = useWindow(id);
  const [text, setText] = useAddressPart('q', '');
  const q = useDeferredValue(text.trim());
  const query = useQuery({
    ...ask('listCauses', { params: { id }, query: { ...chosen.query, ...(q ? { q } : {}) } }),
    enabled: chosen.query !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <ProjectPanelPage
      projectId={id}
      title="Causes of failures"
      window={chosen}
      query={query}
      note={countNote}
      actions={
        <>
          {query.data && query.data.causes.length > 0 && <CsvButton name="causes" rows={() => query.data.causes} />}
          <SearchField label="Search in errors" value={text} onChange={(value) => setText(value, { replace: true })} />
        </>
      }
    >
      {({ causes, uncountedFailures }) =>
        causes.length > 0 ? (
          <>
            {uncountedFailures > 0 && (
              <p className={styles['uncounted']}>
                There are more than {formatCount(MOST_COUNTED_CAUSES)} causes. The figures leave out{' '}
                {countOf(uncountedFailures, 'failure')} of causes that were last seen before all of these.
              </p>
            )}
            <CauseTable projectId={id} causes={causes} chosen={chosen} />
          </>
        ) : q ? (
          <Empty title={`No error contains “${q}”`}>
            <p>{chosen.words}</p>
            <Button onClick={() => setText('')}>Clear search</Button>
          </Empty>
        ) : (
          <Empty title="No failures with an error">
            <p>No result failed with an error: {chosen.words}.</p>
          </Empty>
        )
      }
    </ProjectPanelPage>
  );
};

const countNote = ({ causes, totalCauses }: Causes): string =>
  totalCauses > causes.length
    ? `The ${formatCount(causes.length)} most frequent of ${countOf(totalCauses, 'cause')}`
    : countOf(totalCauses, 'cause');

interface TableProps {
  readonly projectId: number;
  readonly causes: readonly Cause[];
  readonly chosen: ChosenWindow;
}

const CauseTable = ({ projectId, causes, chosen }: TableProps) => {
  const [opened, setOpened] = useAddressPart('cause', NONE);
  const first: Column<Cause> = {
    title: 'Cause',
    wide: true,
    cell: (cause) => {
      const open = opened === cause.message;
      return (
        <CauseCell
          projectId={projectId}
          cause={cause}
          open={open}
          onToggle={() => setOpened(open ? NONE : cause.message, { replace: true })}
        >
          <CauseFailures projectId={projectId} cause={cause.message} chosen={chosen} />
        </CauseCell>
      );
    },
  };
  return (
    <>
      {opened !== NONE && !causes.some(({ message }) => message === opened) && (
        <p className={styles['uncounted']}>
          No failure here has the cause <code>{opened}</code>. Choose other days, another branch or another search.
        </p>
      )}
      <Table
        label={`Causes of failures: ${chosen.words}`}
        columns={[first, ...FIGURES]}
        rows={causes}
        keyOf={keyOf}
        stacked
      />
    </>
  );
};

const keyOf = ({ message }: Cause): string => message;

const FIGURES: readonly Column<Cause>[] = [
  { title: 'Failures', number: true, cell: ({ count }) => formatCount(count) },
  { title: 'Tests', number: true, cell: ({ tests }) => formatCount(tests) },
  { title: 'Runs', number: true, cell: ({ runs }) => formatCount(runs) },
  { title: 'First seen', cell: ({ firstSeen }) => <Seen run={firstSeen} /> },
  { title: 'Last seen', cell: ({ lastSeen }) => <Seen run={lastSeen} /> },
  {
    title: 'History',
    wide: true,
    cell: ({ history }) => <HistoryStrip history={history.slice(-SHOWN_HISTORY)} />,
  },
];

interface CellProps {
  readonly projectId: number;
  readonly cause: Cause;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly children: React.ReactNode;
}

const CauseCell = ({ projectId, cause, open, onToggle, children }: CellProps) => {
  const { message, place, isNew, runsWithout, sample } = cause;
  return (
    <div className={styles['cause']}>
      <Reveal open={open} onToggle={onToggle} title={message}>
        {message || 'An error without words'}
      </Reveal>
      <span className={styles['notes']}>
        {isNew && <strong>New: only in the latest run</strong>}
        {runsWithout > 0 && <span>Not in the latest {runsWithout === 1 ? 'run' : countOf(runsWithout, 'run')}</span>}
        {place && <PathText path={place} />}
      </span>
      {open && (
        <>
          <ErrorText text={sample} lines={30} />
          {children}
          <p>
            <Link to={paths.clusters(projectId, { q: message.slice(0, MOST_SEARCHED) })}>
              This cause over all runs, and whether it goes on
            </Link>
          </p>
        </>
      )}
    </div>
  );
};

const Seen = ({ run }: { readonly run: Cause['lastSeen'] }) => (
  <span className={styles['seen']}>
    <Time value={run.startTime} />
    <Link to={paths.testCase(run.testCaseId)}>result in #{run.id}</Link>
  </span>
);
