/** What a row may be. */
export type Row = object;

declare const OF: unique symbol;
declare const BUILT: unique symbol;

/** Any expression that was built, whatever it gives. */
export interface Built {
  readonly [BUILT]: true;
}

/** An expression that gives a `T`: operations that suit it, its fields, and the methods that the format allows. */
export type Expr<T> = Operations<T> & Fields<NonNullable<T>>;

/** A value, or an expression that gives one. */
export type Operand<T> = T | Expr<T>;

/** A literal type as the type it belongs to, so that other values of a field can be named beside it. */
type Wide<T> = T extends string ? (string extends T ? string : T) : T;

interface Operations<T> extends Built {
  readonly [OF]?: T;
  eq(other: Operand<Wide<T> | null | undefined>): Expr<boolean>;
  ne(other: Operand<Wide<T> | null | undefined>): Expr<boolean>;
  /** Membership by value among the items of an array. */
  isIn(list: readonly Operand<T>[] | Expr<readonly T[]>): Expr<boolean>;
  isNull(): Expr<boolean>;
  and<U>(other: Operand<U>): Expr<T | U>;
  or<U>(other: Operand<U>): Expr<T | U>;
  not(): Expr<boolean>;
  /** `??`: the other one where this is null or undefined. */
  else<U>(other: Operand<U>): Expr<NonNullable<T> | U>;
  /** `? :` by whether this is truthy. */
  choose<U, V>(yes: Operand<U>, no: Operand<V>): Expr<U | V>;
  /** A field whose name is also that of an operation. */
  field<K extends keyof NonNullable<T>>(name: K): Expr<NonNullable<T>[K]>;
  /** The next member or call is optional: `t.error.maybe.includes('x')` is `t.error?.includes("x")`. */
  readonly maybe: Expr<NonNullable<T>>;
}

interface Ordered<T> {
  lt(other: Operand<T>): Expr<boolean>;
  lte(other: Operand<T>): Expr<boolean>;
  gt(other: Operand<T>): Expr<boolean>;
  gte(other: Operand<T>): Expr<boolean>;
}

interface Arithmetic<T> {
  minus(other: Operand<T>): Expr<T>;
  times(other: Operand<T>): Expr<T>;
  over(other: Operand<T>): Expr<T>;
  modulo(other: Operand<T>): Expr<T>;
  power(other: Operand<T>): Expr<T>;
  negated(): Expr<T>;
  plus(other: Operand<T>): Expr<T>;
}

type Fields<T> = [T] extends [string]
  ? Ordered<string> & { plus(other: Operand<string | number>): Expr<string> } & Methods<StringMethods>
  : [T] extends [boolean]
    ? unknown
    : [T] extends [number]
      ? Ordered<number> & Arithmetic<number> & Methods<Pick<number, 'toFixed' | 'toString'>>
      : [T] extends [bigint]
        ? Ordered<bigint> & Arithmetic<bigint>
        : [T] extends [Date]
          ? Ordered<Date | number> & Methods<DateMethods>
          : [T] extends [readonly (infer Item)[]]
            ? Items<Item>
            : [T] extends [object]
              ? { readonly [K in keyof T]-?: Expr<T[K]> }
              : unknown;

type StringMethods = Pick<
  string,
  | 'toLowerCase'
  | 'toUpperCase'
  | 'trim'
  | 'trimStart'
  | 'trimEnd'
  | 'includes'
  | 'startsWith'
  | 'endsWith'
  | 'indexOf'
  | 'lastIndexOf'
  | 'slice'
  | 'substring'
  | 'at'
  | 'charAt'
  | 'padStart'
  | 'padEnd'
  | 'repeat'
  | 'concat'
  | 'length'
>;

type DateMethods = Pick<
  Date,
  | 'getTime'
  | 'getUTCFullYear'
  | 'getUTCMonth'
  | 'getUTCDate'
  | 'getUTCDay'
  | 'getUTCHours'
  | 'getUTCMinutes'
  | 'getUTCSeconds'
  | 'toISOString'
>;

type Methods<M> = {
  readonly [K in keyof M]: M[K] extends (...args: infer A) => infer R
    ? (...args: { [I in keyof A]: Operand<A[I]> }) => Expr<R>
    : Expr<M[K]>;
};

interface Items<Item> {
  readonly length: Expr<number>;
  includes(item: Operand<Item>): Expr<boolean>;
  indexOf(item: Operand<Item>): Expr<number>;
  some(test: (item: Expr<Item>, position: Expr<number>) => Built | boolean): Expr<boolean>;
  every(test: (item: Expr<Item>, position: Expr<number>) => Built | boolean): Expr<boolean>;
  filter(test: (item: Expr<Item>, position: Expr<number>) => Built | boolean): Expr<readonly Item[]>;
  find(test: (item: Expr<Item>, position: Expr<number>) => Built | boolean): Expr<Item | undefined>;
  map<U>(change: (item: Expr<Item>, position: Expr<number>) => Operand<U>): Expr<readonly U[]>;
  join(between?: Operand<string>): Expr<string>;
  at(position: Operand<number>): Expr<Item | undefined>;
  slice(from?: Operand<number>, to?: Operand<number>): Expr<readonly Item[]>;
  /** `list[position]` */
  item(position: Operand<number>): Expr<Item>;
}
