import type { RetentionPreview } from '@assay/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { countOf, formatBytes, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Time } from '../../ui/time.tsx';
import { REASONS, goneWords, keptWords } from './retention-words.ts';
import styles from './retention.module.css';

/** What the settings in the fields would delete, before they are saved. */
export const DryRun = ({ query }: { readonly query: UseQueryResult<RetentionPreview> }) => (
  <section className={styles['dry-run']} aria-label="Dry run" aria-live="polite" aria-busy={query.isFetching}>
    <Loaded query={query} rows={2}>
      {(preview) => <Preview preview={preview} />}
    </Loaded>
  </section>
);

export const Preview = ({ preview }: { readonly preview: RetentionPreview }) => {
  const { projects, first, runs, strippedRuns } = preview;
  const kept = keptWords(preview.kept);
  return (
    <>
      <p>{goneWords(preview)}</p>
      {kept && <p>{kept}</p>}
      {projects.length > 0 && (
        <ul>
          {projects.map((project) => (
            <li key={project.id}>{projectWords(project)}</li>
          ))}
        </ul>
      )}
      {first.length > 0 && (
        <details>
          <summary>
            {runs + strippedRuns > first.length ? `The first ${first.length} of these runs` : 'These runs'}
          </summary>
          <ul>
            {first.map(({ id, startTime, branch, reason }) => (
              <li key={`${id} ${reason}`}>
                <Link to={paths.run(id)}>#{id}</Link> <Time value={startTime} />
                {branch && `, ${branch}`} <span className={styles['quiet']}>({REASONS[reason]})</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

const projectWords = (project: RetentionPreview['projects'][number]): string => {
  const { name, label, archived, runs, strippedRuns, runsLeft, bytesOver } = project;
  const parts = [
    ...(runs > 0
      ? [`${formatCount(runs)} of ${countOf(runs + runsLeft, 'run')}${runsLeft === 0 ? ', all of them' : ''}`]
      : []),
    ...(strippedRuns > 0 ? [`the files of ${countOf(strippedRuns, 'run')}`] : []),
    ...(bytesOver > 0 ? [`still ${formatBytes(bytesOver)} above the limit with what stays`] : []),
  ];
  return `${label ?? name}${archived ? ' (archived)' : ''}: ${parts.join('; ')}`;
};
