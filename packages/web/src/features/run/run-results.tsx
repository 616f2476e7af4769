import type { RunComparison, RunDetails, RunVerdicts } from '@assay/contract';
import { RESULT_FIELDS } from '@assay/contract/filter';
import { useDeferredValue, useMemo, useState } from 'react';
import { useAddressChoice } from '../../address.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pick } from '../../ui/pick.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { WaitingNews } from '../../ui/waiting-news.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { FilterBox } from '../filter/filter-box.tsx';
import { NotAsked } from '../filter/not-asked.tsx';
import { readText, withWords } from '../filter/read-filter.ts';
import { useFilter } from '../filter/use-filter.ts';
import { RunAgain } from '../rerun/rerun-dialog.tsx';
import { VerdictCounts } from '../verdicts/verdict.tsx';
import { GroupHead } from './group-head.tsx';
import { useHeldResults } from './held-results.ts';
import { resultCatalogue, resultsOf, resultValues } from './result-fields.ts';
import { ResultLine, hasErrorLine, hasNotRunLine } from './result-line.tsx';
import {
  buildRows,
  hasMainCause,
  type ListRow,
  type Sort,
  SORTS,
  sortResults,
  type View,
  VIEWS,
} from './result-rows.ts';
import { RunAside } from './run-aside.tsx';
import { RunCounts } from './run-counts.tsx';
import { RunReports } from './run-reports.tsx';
import styles from './run-results.module.css';

interface Props {
  readonly run: RunDetails;
  readonly comparison: RunComparison | undefined;
  readonly verdicts: RunVerdicts | undefined;
}

const VIEW_NAMES: Record<View, string> = { list: 'List', file: 'By file', cause: 'By cause' };
const SORT_NAMES: Record<Sort, string> = {
  status: 'Failures first',
  duration: 'Slowest first',
  title: 'Title',
  file: 'File and line',
};

export const RunResults = ({ run, comparison, verdicts }: Props) => {
  const { region, shown: cases, waiting, show } = useHeldResults(run);
  const catalogue = useMemo(() => resultCatalogue(cases), [cases]);
  const values = useMemo(() => resultValues(cases), [cases]);
  const results = useMemo(() => resultsOf(cases, comparison, verdicts), [cases, comparison, verdicts]);
  const browsers = values.get('browser')!.length > 0;
  const filter = useFilter(catalogue);
  const isOfAllRuns = useMemo(() => readText(filter.text, withWords(RESULT_FIELDS)).ok, [filter.text]);
  // Chosen once: what is being read does not change its order while more results arrive.
  const [startView] = useState<View>(() => (run.status !== 'running' && hasMainCause(results) ? 'cause' : 'list'));
  const [view, setView] = useAddressChoice('view', VIEWS, startView);
  const [sort, setSort] = useAddressChoice('sort', SORTS, 'status');
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const find = useDeferredValue(filter.find);
  const sorted = useMemo(() => sortResults(results, sort), [results, sort]);
  const { found, failed } = useMemo(() => find(sorted), [sorted, find]);
  const shown = useMemo(() => found.map((result) => result.case), [found]);
  const rows = useMemo(() => buildRows(found, view, sort, toggled), [found, view, sort, toggled]);
  const toggle = (key: string): void =>
    setToggled((before) => new Set(before.has(key) ? [...before].filter((other) => other !== key) : [...before, key]));
  if (cases.length === 0) return <NoResults run={run} />;
  return (
    <>
      <RunCounts run={run} comparison={comparison} state={filter} />
      <WaitingNews words={waiting > 0 ? countOf(waiting, 'new result') : null} onShow={show} />
      <div ref={region} className={styles['layout']}>
        <div className={styles['main']}>
          <div className={styles['tools']}>
            <FilterBox
              label="Filter results"
              state={filter}
              catalogue={catalogue}
              loaded={values}
              examples={catalogue.examples}
            />
            <div className={styles['choices']}>
              <Choice
                label="View"
                value={view}
                options={VIEWS.map((value) => ({ value, label: VIEW_NAMES[value] }))}
                onChange={setView}
              />
              <Pick
                label="Sort"
                value={sort}
                options={SORTS.map((value) => ({ value, label: SORT_NAMES[value] }))}
                onChange={setSort}
              />
            </div>
          </div>
          {filter.text.trim() !== '' && filter.filter.ok && isOfAllRuns && (
            <p className={styles['everywhere']}>
              <Link to={paths.query(run.project.id, { filter: filter.text })}>Ask the same of all runs</Link>
            </p>
          )}
          <NotAsked failed={failed} of={cases.length} />
          {verdicts && verdicts.failures > 0 && <VerdictCounts runId={run.id} verdicts={verdicts} />}
          <Panel
            title="Results"
            note={countNote(found.length, cases.length)}
            actions={
              found.length > 0 &&
              found.length < cases.length && (
                <span className={styles['actions']}>
                  <CsvButton name={`run-${run.id}-results`} rows={() => shown} />
                  <RunAgain
                    projectId={run.projectId}
                    metadata={run.metadata}
                    selected={shown}
                    all={cases}
                    what={countOf(found.length, 'shown result')}
                    small
                  />
                </span>
              )
            }
          >
            {found.length === 0 ? (
              <Empty title="No results match the filter">
                <Button onClick={() => filter.put('')}>Clear filter</Button>
              </Empty>
            ) : (
              <VirtualRows label="Results" rows={rows} keyOf={keyOf} rowHeight={heightOf}>
                {(row) =>
                  row.kind === 'group' ? (
                    <GroupHead group={row} view={view} onToggle={toggle} />
                  ) : (
                    <ResultLine result={row.result} grouped={view} browsers={browsers} />
                  )
                }
              </VirtualRows>
            )}
          </Panel>
        </div>
        <RunAside run={run} comparison={comparison} results={results} state={filter} />
      </div>
    </>
  );
};

const keyOf = (row: ListRow): string | number => row.key;
const heightOf = (row: ListRow): number =>
  row.kind === 'result' && (hasErrorLine(row.result) || hasNotRunLine(row.result)) ? 61 : 37;

const countNote = (found: number, all: number): string =>
  found === all ? countOf(all, 'result') : `${countOf(found, 'result')} of ${all.toLocaleString()}`;

const NoResults = ({ run }: { readonly run: RunDetails }) => (
  <>
    {run.reports.length > 0 && <RunReports run={run} />}
    <Panel>
      {run.status === 'running' ? (
        <Empty title="No tests have finished yet">
          <p>Results appear here as they arrive.</p>
        </Empty>
      ) : (
        <Empty title="This run has no results">
          <p>
            It was sent without test cases. What a run may carry is in the{' '}
            <Link to={paths.docs()}>API documentation</Link>.
          </p>
        </Empty>
      )}
    </Panel>
  </>
);
