import type { ExecutionDifference, FirstDifference } from '@assay/contract';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatCount } from '../../format/number.ts';

/** What stands around the thing that differs: the words before it and those after it. */
export const differenceWords = (difference: ExecutionDifference): readonly [before: string, after: string] => {
  const { kind, here, usual, hereMs, usualMs, hereTimes, usualTimes } = difference;
  const thing = kind === 'console' ? 'Console message' : kind === 'request' ? 'Request' : kind === 'step' ? 'Step' : '';
  switch (difference.change) {
    case 'added':
      if (kind === 'request') return [thing, here === 'no answer' ? 'got no answer' : `was made and answered ${here}`];
      return [thing, kind === 'step' ? 'ran' : ''];
    case 'missing':
      return [thing, hereTimes === 0 ? absent(kind) : `${absent(kind)} again`];
    case 'repeated':
      return [
        thing,
        `${kind === 'step' ? 'ran' : 'was made'} ${countOf(hereTimes, 'time')}, at most ${formatCount(usualTimes)} otherwise`,
      ];
    case 'changed':
      if (kind === 'request')
        return [thing, `${here === 'no answer' ? 'got no answer' : `was answered ${here}`}, otherwise ${usual}`];
      return [kind === 'version' ? 'Version of' : 'The', `is ${here}, otherwise ${usual}`];
    case 'failed':
      return [thing, here ? `failed: ${here}` : 'failed'];
    case 'slower':
      return [thing, `took ${formatDuration(hereMs)}, at most ${formatDuration(usualMs)} otherwise`];
  }
};

const absent = (kind: ExecutionDifference['kind']): string => (kind === 'step' ? 'did not run' : 'was not recorded');

/** How many of the passing results had it so. */
export const alikeWords = ({ change, alike, results }: ExecutionDifference): string => {
  const of = countOf(results, 'passing result');
  if (change === 'missing') return `${formatCount(results - alike)} of ${of} had it`;
  return alike === 0 ? `As in none of ${of}` : `As in ${formatCount(alike)} of ${of}`;
};

/** What could not be compared, and why. */
export const untoldWords = ({ told, attempt, results }: FirstDifference): string | null => {
  if (results.length === 0) return null;
  const names = [
    ['steps', told.steps],
    ['requests', told.requests],
    ['console messages', told.console],
  ] as const;
  const notHere = names.filter(([, { here }]) => !here).map(([name]) => name);
  const notThere = names.filter(([, { here, results: some }]) => here && some === 0).map(([name]) => name);
  const parts = [
    notThere.length > 0 && `${capital(listed(notThere))} of the passing results cannot be compared.`,
    notHere.length > 0 &&
      `${capital(listed(notHere))} of ${attempt === null ? 'this result' : 'the attempt that failed'} cannot be compared.`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  const advice = notThere.length > 0 && notThere.join() !== 'steps' ? ` ${HOW_TO_TELL}` : '';
  return parts.join(' ') + advice;
};

const HOW_TO_TELL =
  'Playwright’s trace: ‘on’ records them of tests that pass, too; the fixtures of @assay/reporter record requests.';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
