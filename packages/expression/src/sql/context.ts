import type { Catalogue } from '../catalogue/catalogue.ts';
import { fieldsPresent } from '../catalogue/row.ts';
import type { Scope } from '../simplify/simplify.ts';
import type { Node } from '../tree/node.ts';
import type { DialectRules } from './dialect.ts';
import { NotPushed } from './fragment.ts';
import type { SqlValue } from './value.ts';

/** What is known where a node is translated. */
export interface Context {
  readonly rules: DialectRules;
  readonly catalogue: Catalogue;
  readonly row: string;
  /** Name or alias of the table, before every column. */
  readonly table: string | undefined;
  /** Captured values. */
  readonly scope: Scope;
  /** Parameters of lambdas around. */
  readonly bindings: ReadonlyMap<string, SqlValue>;
  /** Fields that cannot be null here. */
  readonly present: ReadonlySet<string>;
  readonly depth: number;
}

/** SQLite refuses expressions deeper than 1,000; a node becomes several levels of SQL. */
const MAX_DEPTH = 60;

export const deeper = (ctx: Context): Context => {
  if (ctx.depth >= MAX_DEPTH) throw new NotPushed('too deep');
  return { ...ctx, depth: ctx.depth + 1 };
};

/** Where a node came out as truthy or falsy, more is known of the fields. */
export const knowing = (ctx: Context, node: Node, as: boolean): Context => ({
  ...ctx,
  present: new Set([...ctx.present, ...fieldsPresent(node, as, (name) => name === ctx.row && !ctx.bindings.has(name))]),
});
