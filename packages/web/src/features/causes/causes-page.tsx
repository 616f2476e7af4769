import type { Cause } from '@assay/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useAddressPart } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { Reveal } from '../../ui/reveal.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ErrorText } from '../error/error-text.tsx';
import { ProjectFrame } from '../project/project-frame.tsx';
import { HistoryStrip } from '../status/history-strip.tsx';
import { useWindow } from '../window/window.ts';
import styles from './causes-page.module.css';

const SHOWN_HISTORY = 60;

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
    <ProjectFrame projectId={id} title="Causes of failures" window={chosen}>
      <Panel
        title="Causes of failures"
        note={query.data && `${countOf(query.data.length, 'cause')}: ${chosen.words}`}
        actions={
          <SearchField label="Search in errors" value={text} onChange={(value) => setText(value, { replace: true })} />
        }
      >
        <div aria-busy={query.isPlaceholderData}>
          <Loaded query={query} rows={10}>
            {(causes) =>
              causes.length > 0 ? (
                <Table
                  label={`Causes of failures: ${chosen.words}`}
                  columns={COLUMNS}
                  rows={causes}
                  keyOf={keyOf}
                  stacked
                />
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
          </Loaded>
        </div>
      </Panel>
    </ProjectFrame>
  );
};

const keyOf = ({ message }: Cause): string => message;

const COLUMNS: readonly Column<Cause>[] = [
  { title: 'Cause', wide: true, cell: (cause) => <CauseCell cause={cause} /> },
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

const CauseCell = ({ cause: { message, place, isNew, runsWithout, sample } }: { readonly cause: Cause }) => {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles['cause']}>
      <Reveal open={open} onToggle={() => setOpen(!open)} title={message}>
        {message || 'An error without words'}
      </Reveal>
      <span className={styles['notes']}>
        {isNew && <strong>New in the latest run</strong>}
        {runsWithout > 0 && <span>Not in the latest {runsWithout === 1 ? 'run' : countOf(runsWithout, 'run')}</span>}
        {place && <PathText path={place} />}
      </span>
      {open && <ErrorText text={sample} lines={30} />}
    </div>
  );
};

const Seen = ({ run }: { readonly run: Cause['lastSeen'] }) => (
  <span className={styles['seen']}>
    <Time value={run.startTime} />
    <Link to={paths.testCase(run.testCaseId)}>result in #{run.id}</Link>
  </span>
);
