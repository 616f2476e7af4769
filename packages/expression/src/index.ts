export * from './tree/node.ts';
export * from './tree/issue.ts';
export * from './tree/limits.ts';
export * from './catalogue/catalogue.ts';
export { EVAL_CODES, type EvalCode } from './evaluate/codes.ts';
export { evaluate, type EvaluateOptions } from './evaluate/evaluate.ts';
export { compile, type CompileOptions, type Compiled } from './evaluate/compile.ts';
export { explain, type Explained, type Outcome } from './evaluate/explain.ts';
export { CODES, type Code } from './tree/codes.ts';
export { VERSION } from './read/envelope.ts';
export { isEnvelope, parseEnvelope } from './read/parse-envelope.ts';
export type { ReadOptions } from './read/reading.ts';
export {
  canonical,
  type Envelope,
  equals,
  hash,
  serialize,
  type WireNode,
  type WriteOptions,
} from './write/serialize.ts';
export { diff, type Difference } from './write/diff.ts';
export * as build from './tree/build.ts';
export * from './tree/walk.ts';
export { type Change, rewrite } from './tree/rewrite.ts';
export type { TypedTree } from './tree/typed-tree.ts';
export { type Place, pointer } from './tree/place.ts';
export { type Checked, check } from './check/check.ts';
export type { TypeName } from './check/types.ts';
export { nearestName } from './catalogue/nearest.ts';
export { simplify, type SimplifyOptions } from './simplify/simplify.ts';
export { TEXT_CODES, type TextCode } from './text/codes.ts';
export { parseText, type ParseTextOptions } from './text/parse-text.ts';
export { print, type PrintOptions } from './text/print.ts';
export { fromLambda, type FromLambdaOptions } from './text/from-lambda.ts';
export { capture, expr, select, std, treeOf, where } from './typed/expr.ts';
export type { Built, Expr, Operand, ValueOf } from './typed/types.ts';
export { complete } from './complete/complete.ts';
export { completeSearch } from './search/complete-search.ts';
export { parseSearch, type ParseSearchOptions } from './search/parse-search.ts';
export type { Completion, CompletionItem } from './complete/item.ts';
export { toSql } from './sql/to-sql.ts';
export type { SqlOptions, SqlPredicate } from './sql/to-sql.ts';
export type { Dialect } from './sql/dialect.ts';
