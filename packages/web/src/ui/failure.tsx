import { changeProblemOf } from '../api/problem.ts';
import { Notice } from './notice.tsx';

/** Why something one asked for was not done; nothing while there is no error. */
export const Failure = ({ error }: { readonly error: Error | null }) => {
  if (error === null) return null;
  const { title, advice } = changeProblemOf(error);
  return (
    <Notice tone="bad" title={title}>
      {advice}
    </Notice>
  );
};
