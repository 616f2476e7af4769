import { AppError } from '../errors.ts';

/** A place in a list that is ordered by a number and then by id. */
export interface Position {
  readonly value: number;
  readonly id: number;
}

export const writeCursor = ({ value, id }: Position): string => Buffer.from(`${value}:${id}`).toString('base64url');

export const readCursor = (cursor: string | undefined): Position | null => {
  if (cursor === undefined) return null;
  const match = /^(-?\d+(?:\.\d+)?):(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null) {
    const issue = { path: '/cursor', message: 'must come from the Link header of the page before' };
    throw new AppError('invalid_query', `cursor ${issue.message}`, [issue]);
  }
  return { value: Number(match[1]), id: Number(match[2]) };
};

/** Takes one item more than the page has, which tells whether there is a next page. */
export const cutPage = <T>(
  items: readonly T[],
  limit: number | undefined,
  positionOf: (item: T) => Position,
): { page: readonly T[]; nextCursor: string | null } => {
  if (limit === undefined || items.length <= limit) return { page: items, nextCursor: null };
  const page = items.slice(0, limit);
  return { page, nextCursor: writeCursor(positionOf(page.at(-1)!)) };
};
