/** What a row holds: what `check`, `toSql`, searches and completion know of its fields. */
export interface Catalogue {
  /** Name of the row parameter, `t` unless said otherwise. */
  readonly row?: string | undefined;
  readonly fields: Readonly<Record<string, Field>>;
  /** Fields that bare words of a search look into. */
  readonly text?: readonly string[] | undefined;
}

export const FIELD_TYPES = [
  'string',
  'number',
  'boolean',
  'date',
  'duration',
  'enum',
  'strings',
  'list',
  'object',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export interface Field {
  /** A `duration` is a number of milliseconds, `strings` a list of strings, `list` one of `items`, `object` has `fields`. */
  readonly type: FieldType;
  /** Whether it may be null or undefined. */
  readonly nullable?: boolean | undefined;
  /** What an `enum` may be. */
  readonly values?: readonly string[] | undefined;
  /** What a `list` holds. */
  readonly items?: Field | undefined;
  /** The fields of an `object`; those without a `column` are in the JSON of the object's column. */
  readonly fields?: Readonly<Record<string, Field>> | undefined;
  readonly description?: string | undefined;
  /** Other names of it in a search. */
  readonly aliases?: readonly string[] | undefined;
  /** Name of its column in SQL, its own name unless said otherwise. */
  readonly column?: string | undefined;
  /**
   * How its column holds it in PostgreSQL, where that is not the usual way: whole numbers as `integer` (of any size), a date
   * as `timestamptz` of whole milliseconds. Comparisons can then use its indexes.
   */
  readonly stored?: 'integer' | 'timestamptz' | undefined;
  /** `binary` where the column's own collation orders by code points: in PostgreSQL indexes of that collation are used. */
  readonly collation?: 'binary' | undefined;
}
