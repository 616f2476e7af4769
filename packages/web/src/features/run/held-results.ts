import type { RunDetails, TestCase } from '@assay/contract';
import { useUnlessRead } from '../../ui/being-read.ts';

/** The results of a run while more of them arrive: those that would move what is being read wait. */
export const useHeldResults = ({ testCases: latest }: RunDetails) => {
  const { region, taken, show } = useUnlessRead(latest);
  const { shown, waiting } = holdResults(taken, latest);
  return { region, shown, waiting, show };
};

/** Results never change once they are sent, so only additions move anything. */
export const holdResults = (taken: readonly TestCase[], latest: readonly TestCase[]) => {
  const waiting = latest.length - taken.length;
  return waiting > 0 && taken.length > 0 ? { shown: taken, waiting } : { shown: latest, waiting: 0 };
};
