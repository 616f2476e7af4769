import type { FlakeFactor } from '@assay/contract';

/** What stands before and after the value. */
export const placeOfFactor = ({ kind }: Pick<FlakeFactor, 'kind'>): readonly [string, string] => {
  switch (kind) {
    case 'browser':
    case 'environment':
      return ['in ', ''];
    case 'shard':
    case 'worker':
      return [`on ${kind} `, ''];
    case 'hour':
      return ['that started at ', ''];
    case 'before':
      return ['right after “', '” on its worker'];
    case 'together':
      return ['in which “', '” was flaky, too'];
  }
};

const LEAST_CHANCE = 0.0001;

export const chanceWords = ({ chance }: Pick<FlakeFactor, 'chance'>): string =>
  chance < LEAST_CHANCE
    ? 'less than once in 10,000 times by chance'
    : `once in ${Math.round(1 / chance).toLocaleString('en')} times by chance`;
