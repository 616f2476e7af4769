import { type TestCaseDetails, UNKNOWN_FILE } from '@assay/contract';
import { formatDuration } from '../../format/duration.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Time } from '../../ui/time.tsx';
import { OwnedBy } from '../owners/owned-by.tsx';
import { pullRequestOf, repositoryOf } from '../revision/repository.ts';
import { Revision } from '../revision/revision.tsx';
import { StatusBadge } from '../status/status-mark.tsx';
import { FilePlace } from '../test/file-place.tsx';
import styles from './case-facts.module.css';

/** The line below the title: what became of it, where it is written, what it ran in. */
export const CaseFacts = ({ result }: { readonly result: TestCaseDetails }) => {
  const { status, retries, duration, location, filePath, line, browser, tags, owners, testRun } = result;
  const repository = repositoryOf(testRun.project.repositoryUrl, testRun.metadata);
  const revision = testRun.commit ?? testRun.branch;
  return (
    <>
      <StatusBadge status={status} retries={retries} />
      <span className={styles['strong']} title="Duration">
        {formatDuration(duration)}
      </span>
      {retries > 0 && <span>{countOf(retries, 'retry', 'retries')}</span>}
      {filePath !== UNKNOWN_FILE && (
        <FilePlace place={location} href={(revision && repository?.file(filePath, line, revision)) || null} />
      )}
      {browser && <span>{browser}</span>}
      <OwnedBy owners={owners} projectId={testRun.project.id} />
      <span>
        <Link to={paths.run(testRun.id)}>#{testRun.id}</Link> · <Time value={testRun.startTime} />
      </span>
      <Revision
        branch={testRun.branch}
        commit={testRun.commit}
        repository={repository}
        pullRequest={pullRequestOf(testRun.metadata, repository)}
      />
      {tags.map((tag) => (
        <span key={tag} className={styles['tag']}>
          {tag}
        </span>
      ))}
    </>
  );
};
