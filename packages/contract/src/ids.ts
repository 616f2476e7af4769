import { Type } from 'typebox';
import { MAX_RESULTS_PER_RUN } from './limits.ts';

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const resultId = (runId: number, index: number): number => runId * MAX_RESULTS_PER_RUN + index;

export const splitResultId = (id: number): { runId: number; index: number } => ({
  runId: Math.floor(id / MAX_RESULTS_PER_RUN),
  index: id % MAX_RESULTS_PER_RUN,
});
