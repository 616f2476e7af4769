/** A value that goes to the database beside the text. */
export interface Bound {
  readonly value: string | number | boolean;
  readonly type: 'text' | 'double precision' | 'boolean' | 'bigint' | 'timestamptz';
}

/** A piece of SQL with its values in place, so that it can be repeated. */
export interface Sql {
  readonly parts: readonly (string | Bound)[];
  readonly size: number;
}

/** Why a part of a tree is not pushed down; caught where a conjunct is translated. */
export class NotPushed extends Error {
  override name = 'NotPushed';
}

/** Keeps repeated pieces from growing without bound. */
const MAX_SIZE = 20_000;

const assemble = (parts: readonly (string | Bound)[]): Sql => {
  let size = 0;
  for (const part of parts) size += typeof part === 'string' ? part.length : 4;
  if (size > MAX_SIZE) throw new NotPushed('the SQL would be too long');
  return { parts, size };
};

export const sql = (texts: TemplateStringsArray, ...pieces: readonly Sql[]): Sql =>
  assemble(texts.flatMap((text, at) => [text, ...(pieces[at]?.parts ?? [])]));

/** Text of our own, never of a tree. */
export const raw = (text: string): Sql => assemble([text]);

export const bound = (value: Bound['value'], type: Bound['type']): Sql => assemble([{ value, type }]);

export const list = (pieces: readonly Sql[], between: string): Sql =>
  assemble(pieces.flatMap((piece, at) => [at > 0 ? between : '', ...piece.parts]));

/** Joined as a balanced tree: databases bound how deep an expression is. */
export const joinAll = (pieces: readonly Sql[], operator: 'AND' | 'OR'): Sql => {
  if (pieces.length <= 8) return pieces.length === 1 ? pieces[0]! : sql`(${list(pieces, ` ${operator} `)})`;
  const half = pieces.length >> 1;
  return sql`(${joinAll(pieces.slice(0, half), operator)} ${raw(operator)} ${joinAll(pieces.slice(half), operator)})`;
};

export const TRUE = raw('TRUE');
export const FALSE = raw('FALSE');
