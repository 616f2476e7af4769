import type { ExplainingStatement, SharedTrait } from '@assay/contract';
import { countOf } from '../../format/number.ts';
import { formatClock } from '../../format/time.ts';
import { quoteValue } from '../filter/terms.ts';

const clockOf = (time: string): string => formatClock(new Date(time));

/** What a place is called in a sentence: `in webkit`. */
const placeWords = ({ kind, value }: SharedTrait): string => {
  if (kind === 'version') return `with ${value}`;
  const isPart = kind === 'shard' || kind === 'worker';
  return isPart ? `on ${kind} ${value}` : `in ${value}`;
};

/** What all of the run had and no run before it. */
const newsWords = (trait: SharedTrait): string =>
  `first run ${placeWords(trait)}${trait.before === null ? '' : `, after ${trait.before}`}`;

const flakeWords = ({ failures, flakes }: ExplainingStatement): string => {
  const { runs, withThisError, timesWithThisError } = flakes ?? { runs: 0, withThisError: 0, timesWithThisError: 0 };
  if (failures === 1) {
    const often =
      timesWithThisError === runs ? 'always with this error' : `with this error in ${timesWithThisError} of them`;
    const error = withThisError > 0 ? often : 'with other errors';
    return `is of a test that was flaky before, in ${countOf(runs, 'run')}, ${error}`;
  }
  const error =
    withThisError === failures ? 'all of them' : withThisError === 0 ? 'none of them' : `${withThisError} of them`;
  return `are of tests that were flaky before, ${error} with this error`;
};

const timeWords = ({ from, to }: SharedTrait): string =>
  to === null ? `from ${clockOf(from!)} on` : `between ${clockOf(from!)} and ${clockOf(to)}`;

/** Why the failures are told together; a cause is shown by itself. */
export const leadWords = (statement: ExplainingStatement): string => {
  const { failures, ran, traits } = statement;
  const [first] = traits;
  const trait = first!;
  const one = failures === 1;
  switch (trait.kind) {
    case 'cause':
      return 'fail with one cause';
    case 'since':
      return `failed before already, since run #${trait.since!.id}`;
    case 'flake':
      return flakeWords(statement);
    case 'touched':
      return `${one ? 'is' : 'are'} in files that the commits since the base touched, in which ${countOf(ran!, 'test')} ran`;
    case 'time':
      return `started ${timeWords(trait)}, when ${countOf(ran!, 'test')} started`;
    case 'environment':
    case 'version':
      if (ran === null) return `${one ? 'is' : 'are'} new in the ${newsWords(trait)}`;
      return `ran ${placeWords(trait)}, as ${countOf(ran, 'test')} did`;
    case 'shard':
    case 'worker':
    case 'browser':
    case 'file':
      return `ran ${placeWords(trait)}, as ${countOf(ran!, 'test')} did`;
  }
};

/** What else nearly all of them share, causes left out. */
export const sharedWords = ({ failures, traits }: ExplainingStatement): string =>
  failures === 1
    ? ''
    : traits
        .slice(1)
        .filter(({ kind }) => kind !== 'cause')
        .map((trait) => {
          if (trait.kind === 'since') return `failing since run #${trait.since!.id}`;
          if (trait.kind === 'touched') return 'in files that the commits since the base touched';
          return trait.kind === 'time' ? timeWords(trait) : placeWords(trait);
        })
        .join(', ');

/** The filter of results that shows them; null where none does. */
export const filterOf = ({ traits: [first] }: ExplainingStatement): string | null => {
  const { kind, value } = first!;
  switch (kind) {
    case 'since':
      return 'status:failed,timedOut,interrupted -new';
    case 'shard':
      return `status:failed,timedOut,interrupted shard:${value}`;
    case 'browser':
    case 'file':
      return `status:failed,timedOut,interrupted ${kind}:=${quoteValue(value!)}`;
    case 'cause':
    case 'flake':
    case 'environment':
    case 'version':
    case 'worker':
    case 'touched':
    case 'time':
      return null;
  }
};
