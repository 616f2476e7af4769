import { Type } from 'typebox';

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Most results one run can hold: the index of a result is the low part of its id. */
export const MAX_RESULTS_PER_RUN = 2 ** 20;

export const resultId = (runId: number, index: number): number => runId * MAX_RESULTS_PER_RUN + index;

export const splitResultId = (id: number): { runId: number; index: number } => ({
  runId: Math.floor(id / MAX_RESULTS_PER_RUN),
  index: id % MAX_RESULTS_PER_RUN,
});
