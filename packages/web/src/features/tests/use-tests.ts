import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import type { ChosenWindow } from '../window/window.ts';

const HISTORY_RUNS = 30;
/** The figures of thousands of tests are not worth asking for on every visit; a new run says that they are old. */
const FRESH_MS = 60_000;

/** All tests of the chosen branch and days, with their figures. */
export const useTests = (projectId: number, { query }: ChosenWindow) =>
  useQuery({
    ...ask('listTests', { params: { id: projectId }, query: { ...query, history: HISTORY_RUNS } }),
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
