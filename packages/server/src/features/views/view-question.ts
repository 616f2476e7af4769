import { DEFAULT_VIEW_DAYS, type ViewQuery } from '@assay/contract';
import type { Dialect } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { refusal } from '../../validation.ts';
import { type Asked, type Question, readQuestion } from '../query/question.ts';

const DAY_MS = 86_400_000;

/** What a view asks today, as rows or as other figures. */
export const questionOf = (
  { days = DEFAULT_VIEW_DAYS, ...query }: ViewQuery,
  { projectId, dialect, now }: { readonly projectId: number; readonly dialect: Dialect; readonly now: number },
  also: Partial<Asked> = {},
): Question => {
  const since = new Date((dayOf(now) - days + 1) * DAY_MS).toISOString();
  return readQuestion({ ...query, project: projectId, since, ...also }, 'invalid_query', dialect);
};

/** Days in UTC since 1970. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** Refuses what could not be asked. */
export const checkQuery = (query: ViewQuery, projectId: number, dialect: Dialect): void => {
  try {
    questionOf(query, { projectId, dialect, now: Date.now() });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const issues = error.issues ?? [];
    throw refusal(
      'invalid_body',
      issues.map(({ path, message }) => ({ path: `/query${path}`, message })),
    );
  }
};
