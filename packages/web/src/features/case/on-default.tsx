import type { TestCaseDetails } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { onDefaultWords } from '../run/against-default.ts';

/** Whether a failure of another branch is that branch's own doing: what the default branch says of it, and by which run. */
export const OnDefault = ({ result: { id, testRun } }: { readonly result: TestCaseDetails }) => {
  const { data } = useQuery(ask('compareRun', { params: { id: testRun.id } }));
  const failure = data?.failures.find(({ testCaseId }) => testCaseId === id);
  if (!data?.defaultRun || !failure) return null;
  const { defaultRun, defaultRunBy } = data;
  const words = onDefaultWords(failure, defaultRun.branch);
  const only = failure.onDefault?.outcome === 'passed' && `Fails on ${testRun.branch}, `;
  return (
    words && (
      <Notice
        tone={only ? 'bad' : 'plain'}
        title={only ? only + words : words.replace(/^./, (first) => first.toUpperCase())}
      >
        Compared with <Link to={paths.run(defaultRun.id)}>#{defaultRun.id}</Link>
        {defaultRunBy === 'commit' ? ', the run of its base commit' : `, the latest of ${defaultRun.branch} before it`}.
      </Notice>
    )
  );
};
