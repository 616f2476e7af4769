import { type Static, Type } from 'typebox';
import { Id } from './ids.ts';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH, MAX_TITLE_LENGTH } from './limits.ts';
import { Maybe, Nullable } from './schema.ts';

const Reason = Type.Union(
  [
    Type.Literal('serial'),
    Type.Literal('beforeAll'),
    Type.Literal('dependency'),
    Type.Literal('failure'),
    Type.Literal('maxFailures'),
    Type.Literal('timeout'),
    Type.Literal('interrupted'),
    Type.Literal('unknown'),
  ],
  {
    description:
      '`serial`: a test before it in its serial group failed. `beforeAll`: a hook before its tests failed. `dependency`: a test failed that its project depends on. `failure`: another test failed. `maxFailures`, `timeout`, `interrupted`: the run ended early. `unknown`: the runner does not tell',
  },
);

/** Of a test that was to run and did not. */
export const SubmittedNotRun = Type.Object(
  {
    reason: Reason,
    title: Maybe(Type.String({ maxLength: MAX_TITLE_LENGTH, description: 'Of the test that failed before it' })),
    location: Maybe(Type.String({ maxLength: MAX_TEXT_LENGTH, description: 'Of the same test' })),
    browser: Maybe(Type.String({ maxLength: MAX_NAME_LENGTH, description: 'Of the same test' })),
  },
  {
    title: 'SubmittedNotRun',
    description: 'Why a test that was to run did not. An annotation of the type `did not run` says that nobody knows',
  },
);
export type SubmittedNotRun = Static<typeof SubmittedNotRun>;

export const NotRun = Type.Object(
  {
    reason: Reason,
    title: Nullable(Type.String({ description: 'Of the test that failed before it' })),
    filePath: Nullable(Type.String()),
    browser: Nullable(Type.String()),
    testCaseId: Type.Optional(Id),
  },
  {
    title: 'NotRun',
    description:
      'Why a test that was to run did not, and which one failed before it; `testCaseId` in the answer about one result only',
  },
);
export type NotRun = Static<typeof NotRun>;
export type NotRunReason = NotRun['reason'];

/** In words, before and after the title of the test that failed; without one the words are whole. */
export const notRunWords = ({ reason, title }: Pick<NotRun, 'reason' | 'title'>): readonly [string, string] => {
  switch (reason) {
    case 'serial':
      return title === null
        ? ['Did not run because a test before it in its serial group failed', '']
        : ['Did not run because ', ' failed before it in its serial group'];
    case 'beforeAll':
      return title === null
        ? ['Did not run because a beforeAll hook failed', '']
        : ['Did not run because a beforeAll hook failed: see ', ''];
    case 'dependency':
      return title === null
        ? ['Did not run because a test failed that its project depends on', '']
        : ['Did not run because ', ' failed, which its project depends on'];
    case 'failure':
      return title === null ? ['Did not run because another test failed', ''] : ['Did not run because ', ' failed'];
    case 'maxFailures':
      return ['Did not run because the run ended at its maximum number of failures', ''];
    case 'timeout':
      return ['Did not run because the run reached its time limit', ''];
    case 'interrupted':
      return ['Did not run because the run was interrupted', ''];
    case 'unknown':
      return ['Did not run; why was not reported', ''];
  }
};

/** In one line. */
export const notRunText = (notRun: Pick<NotRun, 'reason' | 'title'>): string => {
  const [before, after] = notRunWords(notRun);
  const isNamed = notRun.title !== null && /\s$/.test(before);
  return isNamed ? `${before}“${notRun.title}”${after}` : before;
};
