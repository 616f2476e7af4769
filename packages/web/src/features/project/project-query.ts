import { ask } from '../../api/client.ts';

export const RUNS_ON_FIRST_PAGE = 200;

export const projectQuery = (id: number) => ask('getProject', { params: { id }, query: { limit: 1 } });
