import { type FailureVerdict, type RunVerdicts, splitResultId } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { classNames } from '../../ui/class-names.ts';
import { Link } from '../../ui/link.tsx';
import { VERDICT_LABELS, baseWords, countWords, effectWords, oddsWords, termWords } from './words.ts';
import styles from './verdict.module.css';

/** Whose failure it is, in a word or two. */
export const VerdictMark = ({ verdict }: { readonly verdict: FailureVerdict }) => (
  <span className={classNames(styles['mark'], styles[verdict.verdict])} title={oddsWords(verdict)}>
    {VERDICT_LABELS[verdict.verdict]}
  </span>
);

/** What speaks for and against each reason; of very many failures, that is asked for when someone wants to know. */
export const VerdictTerms = ({ verdict }: { readonly verdict: FailureVerdict }) => {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    ...ask('judgeFailures', {
      params: { id: splitResultId(verdict.testCaseId).runId },
      query: { result: verdict.testCaseId },
    }),
    enabled: isOpen && verdict.terms.length === 0,
  });
  const terms = verdict.terms.length > 0 ? verdict.terms : (data?.verdicts[0]?.terms ?? []);
  return (
    <details className={styles['terms']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {VERDICT_LABELS[verdict.verdict]} <span>({oddsWords(verdict)})</span>
      </summary>
      <ul>
        {terms.map((term) => {
          const effect = effectWords(term);
          return (
            effect && (
              <li key={term.kind}>
                {termWords(term)} <small>{effect}</small>
              </li>
            )
          );
        })}
      </ul>
    </details>
  );
};

/** How many failures of a run are whose. */
export const VerdictCounts = ({ runId, verdicts }: { readonly runId: number; readonly verdicts: RunVerdicts }) => {
  const { base, failures, lookedAt } = verdicts;
  const words = baseWords(verdicts);
  return (
    <p className={styles['counts']}>
      Of {lookedAt < failures && `the first ${formatCount(lookedAt)} of `}
      {countOf(failures, 'failed test')}:{' '}
      {countWords(verdicts).map(({ verdict, words: counted }, at) => (
        <Fragment key={verdict}>
          {at > 0 && ', '}
          <Link to={paths.run(runId, { filter: `verdict:${verdict}` })}>{counted}</Link>
        </Fragment>
      ))}
      .{' '}
      {base && words ? (
        <>
          {words} <Link to={paths.run(base.id)}>run #{base.id}</Link>.
        </>
      ) : (
        'There is no run to compare with.'
      )}
    </p>
  );
};
