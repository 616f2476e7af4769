import type { FailureVerdict, RunVerdicts } from '@assay/contract';
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

/** What speaks for and against each reason. */
export const VerdictTerms = ({ verdict }: { readonly verdict: FailureVerdict }) => (
  <details className={styles['terms']}>
    <summary>
      {VERDICT_LABELS[verdict.verdict]} <span>({oddsWords(verdict)})</span>
    </summary>
    <ul>
      {verdict.terms.map((term) => {
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

/** How many failures of a run are whose. */
export const VerdictCounts = ({ verdicts }: { readonly verdicts: RunVerdicts }) => {
  const { base, failures, lookedAt } = verdicts;
  const words = baseWords(verdicts);
  return (
    <p className={styles['counts']}>
      Of {lookedAt < failures && `the first ${formatCount(lookedAt)} of `}
      {countOf(failures, 'failed test')}: {countWords(verdicts)}.{' '}
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
