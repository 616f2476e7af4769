import type { FlakeCost } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { TestName } from '../status/test-name.tsx';
import type { ChosenWindow } from '../window/window.ts';
import { costWords, forecastWords, minutesWords, outageWords, retryWords } from './cost-words.ts';
import styles from './flaky-tests-page.module.css';

interface Props {
  readonly projectId: number;
  readonly chosen: ChosenWindow;
}

const useFlakeCost = ({ projectId, chosen }: Props) =>
  useQuery({
    ...ask('getFlakeCost', { params: { id: projectId }, query: chosen.query ?? {} }),
    enabled: chosen.query !== undefined,
  });

/** In one sentence, for the page of the project; nothing where no run is red by chance. */
export const FlakeCostLine = (props: Props) => {
  const { data } = useFlakeCost(props);
  if (!data || data.redByChance === 0) return null;
  return (
    <Notice>
      {costWords(data, false)}{' '}
      <Link to={paths.flakyTests(props.projectId, props.chosen.carried)}>What flaky tests cost</Link>
    </Notice>
  );
};

/** What flaky tests cost in the chosen branch and days; nothing where they cost nothing. */
export const FlakeCostPanel = (props: Props) => {
  const { chosen } = props;
  const { data } = useFlakeCost(props);
  if (!data || (data.redByChance === 0 && data.minutesByChance === 0)) return null;
  return (
    <Panel title="What flaky tests cost" note={chosen.words}>
      <div className={styles['cost']}>
        <p>
          {costWords(data, true)} {outageWords(data)}
        </p>
        <p>{minutesWords(data)}</p>
        {data.redByChance > 0 && <p>{retryWords(data)}</p>}
        <details>
          <summary>How this is counted</summary>
          <p>
            A failure is taken for chance when another run passed the test on the same commit, or when the test is known
            to be flaky and passed in the runs of the branch before and after. The latest runs have none after them yet,
            so they may count as red for a reason.
          </p>
          <p>
            Forecasts are of runs to come. A test is chosen by one half of the runs and judged by the other, because
            whoever looks at the runs in which it stood out finds it worse than it is. The ranges hold the truth in 95
            of 100 cases.
          </p>
        </details>
      </div>
      {data.tests.length > 0 && (
        <Table
          label="Tests that make most runs red by chance"
          columns={COLUMNS}
          rows={data.tests}
          keyOf={({ id }) => id}
          stacked
        />
      )}
    </Panel>
  );
};

const COLUMNS: readonly Column<FlakeCost['tests'][number]>[] = [
  { title: 'Test', wide: true, cell: (test) => <TestName test={test} /> },
  { title: 'Red runs', number: true, cell: ({ redRuns }) => formatCount(redRuns) },
  {
    title: 'Green without it and those above',
    number: true,
    cell: ({ freedRuns }) => (freedRuns === 0 ? 'none' : countOf(freedRuns, 'run')),
  },
  { title: 'Runs to come that would be red', wide: true, cell: ({ withoutThese }) => forecastWords(withoutThese) },
];
