import { DIFFERENCE_KINDS, type DifferenceKind, type DifferentTest, type RunDifferences } from '@assay/contract';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { StatusBadge } from '../status/status-mark.tsx';
import { TestName } from '../status/test-name.tsx';
import styles from './compare-page.module.css';

const TITLES: Record<DifferenceKind, string> = {
  newFailures: 'New failures',
  fixed: 'Fixed',
  stillFailing: 'Failing in both',
  newlyFlaky: 'Newly flaky',
  slower: 'Slower',
  faster: 'Faster',
  added: 'Only in this run',
  removed: 'Only in the other run',
};

/** One panel for each kind of difference that there is. */
export const DifferencePanels = ({ found, otherId }: { readonly found: RunDifferences; readonly otherId: number }) => {
  const kinds = DIFFERENCE_KINDS.filter((kind) => found.counts[kind] > 0);
  if (kinds.length === 0) {
    return (
      <Panel>
        <Empty title="Nothing differs">
          <p>{countOf(found.sharedTests, 'test')} had the same outcome in both runs.</p>
        </Empty>
      </Panel>
    );
  }
  return kinds.map((kind) => (
    <Panel key={kind} title={TITLES[kind]} note={noteOf(found[kind].length, found.counts[kind])}>
      <Table
        label={TITLES[kind]}
        columns={columnsOf(kind, found.run.id, otherId)}
        rows={found[kind]}
        keyOf={({ testId }) => testId}
        stacked
      />
    </Panel>
  ));
};

const noteOf = (listed: number, all: number): string =>
  listed < all ? `the first ${formatCount(listed)} of ${countOf(all, 'test')}` : countOf(all, 'test');

const columnsOf = (kind: DifferenceKind, runId: number, otherId: number): readonly Column<DifferentTest>[] => [
  {
    title: 'Test',
    wide: true,
    cell: ({ testId, title, filePath, browser }) => <TestName test={{ id: testId, title, filePath, browser }} />,
  },
  ...(kind === 'removed' ? [] : [sideColumn(`Run #${runId}`, ({ here }) => here)]),
  ...(kind === 'added' ? [] : [sideColumn(`Run #${otherId}`, ({ there }) => there)]),
  ...(kind === 'slower' || kind === 'faster'
    ? [
        { title: 'Usually', number: true, cell: ({ usualDuration }: DifferentTest) => formatDuration(usualDuration) },
        { title: 'Change', number: true, cell: changeOf },
      ]
    : []),
];

const sideColumn = (title: string, of: (test: DifferentTest) => DifferentTest['here']): Column<DifferentTest> => ({
  title,
  cell(test) {
    const result = of(test);
    if (result === null) return 'did not have it';
    return (
      <span className={styles['result']}>
        <Link to={paths.testCase(result.testCaseId)}>
          <StatusBadge status={result.status} retries={result.flaky ? 1 : 0} />
        </Link>
        {result.duration !== null && <span>{formatDuration(result.duration)}</span>}
      </span>
    );
  },
});

/** `+40 %`, `3.2 ×`: how the duration changed from the other run to this one. */
const changeOf = ({ here, there }: DifferentTest): string => {
  if (!here?.duration || !there?.duration) return '–';
  const ratio = here.duration / there.duration;
  if (ratio >= 2) return `${ratio.toFixed(1)} ×`;
  return `${ratio > 1 ? '+' : '−'}${Math.round(100 * Math.abs(ratio - 1))} %`;
};
