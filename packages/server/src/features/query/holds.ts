import { FILTER_LIMITS, type FilterRow } from '@assay/contract/filter';
import { ExpressionError } from '@assay/expression';
import { tooCostly } from './budget.ts';

/** A row for which a filter cannot be evaluated is not found; one that takes too much ends the query, as nobody knows. */
export const holds = (predicate: (row: FilterRow) => boolean, row: FilterRow): boolean => {
  try {
    return predicate(row);
  } catch (error) {
    if (error instanceof ExpressionError && error.code.startsWith('limit.')) {
      throw tooCostly(
        `The filter takes more than ${FILTER_LIMITS.steps} steps for one row. Ask with a simpler filter.`,
      );
    }
    return false;
  }
};
