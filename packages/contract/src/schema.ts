import { type TSchema, type TSchemaOptions, Type } from 'typebox';

export const Nullable = <T extends TSchema>(schema: T, options: TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options);

/** A request field that may be left out or sent as null. */
export const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));

export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const Milliseconds = Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds' });
/** One letter for each run that was looked at; the letters are in `history-letters.ts`. */
export const HistoryText = Type.String({
  pattern: '^[PFKSO-]*$',
  description:
    'One letter for each run looked at, oldest first: `P` passed, `F` failed, `K` flaky, `S` skipped, `O` other, `-` not run',
});
export const Bytes = Type.Integer({ minimum: 0 });

/** Paging is opt-in: without `limit` a list is whole. */
export const paging = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Page size; without it the list is whole' }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'From the `Link: <…>; rel="next"` header of the page before',
    }),
  ),
};
export type Page = { limit?: number | undefined; cursor?: string | undefined };
