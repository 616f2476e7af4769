import { type NotRun, notRunText, notRunWords } from '@assay/contract';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';

interface Props {
  readonly notRun: NotRun;
  /** The result of the test that failed before, where it is known. */
  readonly causeId: number | undefined;
}

/** Why a test did not run, with a link to the one that failed before it. */
export const NotRunWords = ({ notRun, causeId }: Props) => {
  if (notRun.title === null || causeId === undefined) return <>{notRunText(notRun)}</>;
  const [before, after] = notRunWords(notRun);
  return (
    <>
      {before}
      <Link to={paths.testCase(causeId)}>{notRun.title}</Link>
      {after}
    </>
  );
};
