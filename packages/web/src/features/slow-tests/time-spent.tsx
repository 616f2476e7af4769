import { Loaded } from '../../ui/loaded.tsx';
import { TIME_SPENT } from '../tests/sort-tests.ts';
import { TestList } from '../tests/test-list.tsx';
import { useTests } from '../tests/use-tests.ts';
import type { ChosenWindow } from '../window/window.ts';

/** All tests with the time that was spent on them. */
export const TimeSpent = ({ projectId, chosen }: { readonly projectId: number; readonly chosen: ChosenWindow }) => {
  const query = useTests(projectId, chosen);
  return (
    <Loaded query={query} rows={10}>
      {(tests) => tests.length > 0 && <TestList tests={tests} words={chosen.words} view={TIME_SPENT} />}
    </Loaded>
  );
};
