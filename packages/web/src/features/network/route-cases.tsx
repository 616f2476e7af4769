import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ask } from '../../api/client.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { CaseMark } from '../status/status-mark.tsx';
import styles from './route-cases.module.css';

const SHOWN_AT_ONCE = 20;

/** The results whose tests made such a request. */
export const RouteCases = ({ runId, ids }: { readonly runId: number; readonly ids: readonly number[] }) => {
  const query = useQuery(ask('getRun', { params: { id: runId }, query: { details: false } }));
  const [all, setAll] = useState(false);
  const testCases = query.data?.testCases;
  const cases = useMemo(() => {
    const wanted = new Set(ids);
    return (testCases ?? []).filter(({ id }) => wanted.has(id));
  }, [testCases, ids]);
  return (
    <div className={styles['cases']}>
      <p>Made by {countOf(ids.length, 'result')}</p>
      <Loaded query={query} rows={Math.min(ids.length, 4)}>
        {() => (
          <ul>
            {cases.slice(0, all ? undefined : SHOWN_AT_ONCE).map((each) => (
              <li key={each.id}>
                <CaseMark status={each.status} retries={each.retries} />
                <Link to={paths.testCase(each.id, { tab: 'requests' })} className={styles['title']}>
                  <MiddleText text={each.title} />
                </Link>
                <span className={styles['file']}>{each.filePath}</span>
                <span>{formatDuration(each.duration)}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {!all && ids.length > SHOWN_AT_ONCE && (
        <Button small onClick={() => setAll(true)}>
          Show {countOf(ids.length - SHOWN_AT_ONCE, 'more result')}
        </Button>
      )}
    </div>
  );
};
