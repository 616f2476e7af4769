import type { ExplainingStatement, RunDetails, RunExplanation } from '@assay/contract';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { filterOf, leadWords, sharedWords } from './words.ts';
import styles from './explanation.module.css';

interface Props {
  readonly run: RunDetails;
  readonly explanation: RunExplanation;
}

/** Why a run is red, in as few statements as account for its failures. */
export const Explanation = ({ run, explanation }: Props) => {
  const { failures, lookedAt, statements, unexplained } = explanation;
  if (failures === 0) return null;
  // A single failure with a reason of its own is told by its error.
  if (statements.length === 0 && failures === 1) return null;
  return (
    <Panel title="Why it is red" note={noteOf(explanation)}>
      <ol className={styles['statements']}>
        {statements.map((statement, at) => (
          <StatementLine key={at} run={run} statement={statement} of={lookedAt} />
        ))}
        {unexplained.failures > 0 && (
          <li>
            <details>
              <summary>
                <strong>{shareWords(unexplained.failures, lookedAt)}</strong>{' '}
                {unexplained.failures === 1 ? 'has a reason of its own' : 'have nothing in common that was found'}
              </summary>
              <Results results={unexplained.results} of={unexplained.failures} />
            </details>
          </li>
        )}
      </ol>
    </Panel>
  );
};

const noteOf = ({ failures, lookedAt, farMoreThanUsual }: RunExplanation): string =>
  [
    farMoreThanUsual && 'far more failed than usual on this branch',
    lookedAt < failures && `the first ${formatCount(lookedAt)} of ${countOf(failures, 'failure')} were looked at`,
  ]
    .filter(Boolean)
    .join('; ');

interface LineProps {
  readonly run: RunDetails;
  readonly statement: ExplainingStatement;
  readonly of: number;
}

const StatementLine = ({ run, statement, of }: LineProps) => {
  const cause = statement.traits.find(({ kind }) => kind === 'cause')?.value;
  const shared = sharedWords(statement);
  const filter = filterOf(statement);
  return (
    <li>
      <details>
        <summary>
          <strong>{shareWords(statement.failures, of)}</strong> {leadWords(statement)}
          {shared && `, nearly all ${shared}`}
          {cause && <code>{cause}</code>}
        </summary>
        <Results results={statement.results} of={statement.failures} />
        {filter && <Link to={paths.run(run.id, { filter })}>Filter the results by this</Link>}
      </details>
    </li>
  );
};

const shareWords = (failures: number, of: number): string =>
  failures === of
    ? of === 1
      ? 'The failure'
      : `All ${formatCount(of)} failures`
    : `${formatCount(failures)} of ${formatCount(of)}`;

const Results = ({ results, of }: { readonly results: ExplainingStatement['results']; readonly of: number }) => (
  <ul>
    {results.map(({ testCaseId, title }) => (
      <li key={testCaseId}>
        <Link to={paths.testCase(testCaseId)}>
          <MiddleText text={title} />
        </Link>
      </li>
    ))}
    {of > results.length && <li>and {formatCount(of - results.length)} more</li>}
  </ul>
);
