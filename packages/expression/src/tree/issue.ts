import type { Span } from './node.ts';

/** What is wrong with a tree or a text, and where. */
export interface Issue {
  /** Stable, such as `node.unknownField`; the message beside it may change. */
  readonly code: string;
  /** JSON Pointer into the envelope, such as `/root/left`; empty for a text. */
  readonly path: string;
  readonly span?: Span | undefined;
  readonly message: string;
  /** What the code says more exactly, such as a limit and what was found. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export type Result<T, Name extends string> = ({ readonly ok: true } & { readonly [K in Name]: T }) | Refused;

export interface Refused {
  readonly ok: false;
  readonly issues: readonly Issue[];
}

/** Thrown by an evaluation that fails. */
export class ExpressionError extends Error {
  override name = 'ExpressionError';
  declare readonly code: string;
  /** JSON Pointer to the node, from `/root`. */
  declare readonly path: string;
  declare readonly span: Span | undefined;
  /** Of `limit.<name>`: the limit, and what was found at least. */
  declare readonly details: Issue['details'];

  constructor(code: string, path: string, message: string, span?: Span, details?: Issue['details']) {
    super(message);
    Object.assign(this, { code, path, span, details });
  }
}
