import type { Operation } from '../plan/operation.ts';

export type Closure = (slots: unknown[]) => unknown;

/** What closures are made with. */
export interface Builder {
  /** No object of the host has accessors of its own. */
  readonly plain: boolean;
  /** Where in the slots it says of an input whether it may be read plainly. */
  readonly plainSlots: number;
  readonly watch?: Watch | undefined;
  /** The closure of a part, and of a link of a longer chain, which may give SHORT. */
  closure(operation: Operation): Closure;
  link(operation: Operation): Closure;
}

/** Sees every value and error, for `explain`. `isLink` says that a chain goes on behind it, which SHORT ends. */
export type Watch = (operation: Operation, run: () => unknown, isLink: boolean) => unknown;

export const runAll = (closures: readonly Closure[], slots: unknown[]): unknown[] =>
  closures.map((closure) => closure(slots));

/** Stands for Object.prototype, of which engines know less. */
export const empty: object = {};
