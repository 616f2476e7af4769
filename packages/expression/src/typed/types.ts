declare const OF: unique symbol;
declare const TEXT: unique symbol;

/** An expression that was built: the type of what it gives, and a text that tells it from other expressions. */
export interface Built<out T = unknown, out S extends string = string> {
  readonly [OF]: T;
  readonly [TEXT]: S;
}

/**
 * An expression that gives a `T`: operations that suit it, its fields, and the methods that the format allows. It counts as
 * a boolean, so that the compiler sees what `||`, `&&` and `!` of JavaScript would make of it. `Short` is undefined where a
 * chain may end early.
 */
export type Expr<T, S extends string = 't', Short = never> = boolean &
  Operations<T | Short, S> &
  (null extends T ? unknown : undefined extends T ? unknown : Fields<T, S, Short>);

/** A value, or an expression that gives one. */
export type Operand<T> = T | Built<T>;

/** The type of what a function over expressions gives: an expression, a value, or an object or array of them. */
export type ValueOf<R> =
  R extends Built<infer T>
    ? T
    : R extends string | number | bigint | boolean | null | undefined | Date | RegExp
      ? R
      : { readonly [K in keyof R]: ValueOf<R[K]> };

type TextOf<R> =
  R extends Built<unknown, infer S>
    ? S
    : R extends string | number | bigint | boolean | null | undefined
      ? `${R}`
      : '…';

type IsUnion<S, All = S> = S extends S ? ([All] extends [S] ? false : true) : never;

/** Refuses one of several expressions, or an expression or a value: an operator of JavaScript has chosen among them. */
export type One<R> =
  IsUnion<R extends Built<unknown, infer S> ? S : R extends boolean ? '?' : never> extends false
    ? unknown
    : 'An operator of JavaScript sees no values here: use and, or, not, else, choose';

/**
 * An expression that a lambda is given. Nothing is inferred from it: to do so the compiler compares every method of every
 * result of every method, which takes it longer than all else in a program.
 */
type Given<T, S extends string> = NoInfer<Expr<T, S>>;

type Test<Item, S extends string, R> = (item: Given<Item, `${S}[]`>, position: Given<number, `${S}#`>) => R & One<R>;

interface Operations<T, S extends string> extends Built<T, S> {
  eq<const O extends Operand<T | null | undefined>>(other: O & One<O>): Expr<boolean, `${S}===${TextOf<O>}`>;
  ne<const O extends Operand<T | null | undefined>>(other: O & One<O>): Expr<boolean, `${S}!==${TextOf<O>}`>;
  /** Membership by value among the items of an array. */
  isIn<const O extends readonly Operand<T>[] | Built<readonly T[]>>(list: O): Expr<boolean, `${S} of ${TextOf<O>}`>;
  isNull(): Expr<boolean, `${S} is null`>;
  and<O extends Built>(other: O & One<O>): Expr<T | ValueOf<O>, `${S}&&(${TextOf<O>})`>;
  or<O extends Built>(other: O & One<O>): Expr<T | ValueOf<O>, `${S}||(${TextOf<O>})`>;
  not(): Expr<boolean, `!${S}`>;
  /** `??`: the other one where this is null or undefined. */
  else<const O>(other: O & One<O>): Expr<NonNullable<T> | Wide<ValueOf<O>>, `${S}??${TextOf<O>}`>;
  /** `? :` by whether this is truthy. */
  choose<const O, const P>(
    yes: O & One<O>,
    no: P & One<P>,
  ): Expr<ValueOf<O> | ValueOf<P>, `${S}?${TextOf<O>}:${TextOf<P>}`>;
  /** A field whose name is also that of an operation. */
  field<K extends keyof T & string>(name: K): Expr<T[K], `${S}.${K}`>;
  /** The next member or call is optional: `t.error.maybe.includes('x')` is `t.error?.includes("x")`. */
  readonly maybe: Expr<NonNullable<T>, `${S}?`, undefined>;
}

/** A literal type as the type it belongs to. */
type Wide<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends bigint
      ? bigint
      : T extends boolean
        ? boolean
        : T;

interface Ordered<T, S extends string> {
  lt<const O extends Operand<T>>(other: O & One<O>): Expr<boolean, `${S}<${TextOf<O>}`>;
  lte<const O extends Operand<T>>(other: O & One<O>): Expr<boolean, `${S}<=${TextOf<O>}`>;
  gt<const O extends Operand<T>>(other: O & One<O>): Expr<boolean, `${S}>${TextOf<O>}`>;
  gte<const O extends Operand<T>>(other: O & One<O>): Expr<boolean, `${S}>=${TextOf<O>}`>;
}

interface Arithmetic<T, S extends string> {
  plus<const O extends Operand<T>>(other: O & One<O>): Expr<T, `${S}+${TextOf<O>}`>;
  minus<const O extends Operand<T>>(other: O & One<O>): Expr<T, `${S}-${TextOf<O>}`>;
  times<const O extends Operand<T>>(other: O & One<O>): Expr<T, `${S}*${TextOf<O>}`>;
  over<const O extends Operand<T>>(other: O & One<O>): Expr<T, `${S}/${TextOf<O>}`>;
  modulo<const O extends Operand<T>>(other: O & One<O>): Expr<T, `${S}%${TextOf<O>}`>;
  power<const O extends Operand<T>>(other: O & One<O>): Expr<T, `${S}**${TextOf<O>}`>;
  negated(): Expr<T, `-${S}`>;
}

type Fields<T, S extends string, Short> = [T] extends [string]
  ? Ordered<string, S> & Joined<S> & Methods<StringMethods, S, Short>
  : [T] extends [boolean]
    ? unknown
    : [T] extends [number]
      ? Ordered<number, S> & Arithmetic<number, S> & Methods<NumberMethods, S, Short>
      : [T] extends [bigint]
        ? Ordered<bigint, S> & Arithmetic<bigint, S>
        : [T] extends [Date]
          ? Ordered<Date | number, S> & Methods<DateMethods, S, Short>
          : [T] extends [readonly (infer Item)[]]
            ? Items<Item, S, Short>
            : [T] extends [object]
              ? { readonly [K in keyof T & string]-?: Expr<T[K], `${S}.${K}`, Short> }
              : unknown;

interface Joined<S extends string> {
  plus<const O extends Operand<string | number>>(other: O & One<O>): Expr<string, `${S}+${TextOf<O>}`>;
}

export interface StringMethods extends Pick<
  string,
  | 'at'
  | 'charAt'
  | 'charCodeAt'
  | 'codePointAt'
  | 'concat'
  | 'endsWith'
  | 'includes'
  | 'indexOf'
  | 'lastIndexOf'
  | 'length'
  | 'padEnd'
  | 'padStart'
  | 'repeat'
  | 'slice'
  | 'startsWith'
  | 'substring'
  | 'toLowerCase'
  | 'toUpperCase'
  | 'trim'
  | 'trimEnd'
  | 'trimStart'
> {
  isWellFormed(): boolean;
  normalize(form?: string): string;
  replace(part: string, by: string): string;
  replaceAll(part: string, by: string): string;
  split(separator: string, most?: number): readonly string[];
  toWellFormed(): string;
}

export type NumberMethods = Pick<number, 'toExponential' | 'toFixed' | 'toPrecision' | 'toString'>;

type DatePart = 'Date' | 'Day' | 'FullYear' | 'Hours' | 'Milliseconds' | 'Minutes' | 'Month' | 'Seconds';

export type DateMethods = Pick<
  Date,
  `get${DatePart}` | `getUTC${DatePart}` | 'getTime' | 'getTimezoneOffset' | 'toISOString' | 'toJSON' | 'toUTCString'
>;

type Texts<Args> = Args extends readonly [infer First, ...infer Rest] ? `${TextOf<First>},${Texts<Rest>}` : '';

/** Functions over values as functions over operands. */
export type Methods<M, S extends string, Short = never> = {
  readonly [K in keyof M & string]: M[K] extends (...args: infer A) => infer R
    ? <const Args extends { [I in keyof A]: Operand<A[I]> }>(
        ...args: Args
      ) => Expr<R, `${S}.${K}(${Texts<Args>})`, Short>
    : Expr<M[K], `${S}.${K}`, Short>;
};

export interface Items<Item, S extends string, Short = never> extends Methods<
  {
    readonly length: number;
    includes(item: Item, from?: number): boolean;
    indexOf(item: Item, from?: number): number;
    lastIndexOf(item: Item, from?: number): number;
    join(between?: string): string;
    at(position: number): Item | undefined;
    concat(...lists: (readonly Item[])[]): readonly Item[];
    slice(from?: number, to?: number): readonly Item[];
    toReversed(): readonly Item[];
    /** `list[position]` */
    item(position: number): Item | undefined;
  },
  S,
  Short
> {
  some<R extends Built>(test: Test<Item, S, R>): Expr<boolean, `${S}.some(${TextOf<R>})`, Short>;
  every<R extends Built>(test: Test<Item, S, R>): Expr<boolean, `${S}.every(${TextOf<R>})`, Short>;
  filter<R extends Built>(test: Test<Item, S, R>): Expr<readonly Item[], `${S}.filter(${TextOf<R>})`, Short>;
  find<R extends Built>(test: Test<Item, S, R>): Expr<Item | undefined, `${S}.find(${TextOf<R>})`, Short>;
  findLast<R extends Built>(test: Test<Item, S, R>): Expr<Item | undefined, `${S}.findLast(${TextOf<R>})`, Short>;
  findIndex<R extends Built>(test: Test<Item, S, R>): Expr<number, `${S}.findIndex(${TextOf<R>})`, Short>;
  findLastIndex<R extends Built>(test: Test<Item, S, R>): Expr<number, `${S}.findLastIndex(${TextOf<R>})`, Short>;
  map<R>(change: Test<Item, S, R>): Expr<readonly ValueOf<R>[], `${S}.map(${TextOf<R>})`, Short>;
  flatMap<R>(
    change: Test<Item, S, R>,
  ): Expr<readonly (ValueOf<R> extends readonly (infer U)[] ? U : ValueOf<R>)[], `${S}.flatMap(${TextOf<R>})`, Short>;
  reduce<U>(
    add: (sum: Given<U, 'sum'>, item: Given<Item, `${S}[]`>, position: Given<number, `${S}#`>) => Built<U>,
    start: Operand<U>,
  ): Expr<U, `${S}.reduce`, Short>;
  toSorted<R extends Built<number>>(
    compare: (a: Given<Item, `${S}[0]`>, b: Given<Item, `${S}[1]`>) => R & One<R>,
  ): Expr<readonly Item[], `${S}.toSorted(${TextOf<R>})`, Short>;
}

type MathFunction = Exclude<
  { [K in keyof typeof Math]: (typeof Math)[K] extends (...args: number[]) => number ? K : never }[keyof typeof Math],
  'random' | 'f16round' | 'sumPrecise'
>;
type MathConstant = 'E' | 'LN10' | 'LN2' | 'LOG10E' | 'LOG2E' | 'PI' | 'SQRT1_2' | 'SQRT2';
type NumberConstant = {
  [K in keyof typeof Number]: (typeof Number)[K] extends number ? K : never;
}[keyof typeof Number];

/** The globals of the format. */
export interface Std {
  readonly Math: Methods<Pick<typeof Math, MathFunction>, 'Math'> & {
    readonly [K in MathConstant]: Expr<number, `Math.${K}`>;
  };
  readonly Number: ((value: Operand<unknown>) => Expr<number, 'Number'>) &
    Methods<
      Pick<
        typeof Number,
        NumberConstant | 'isFinite' | 'isInteger' | 'isNaN' | 'isSafeInteger' | 'parseFloat' | 'parseInt'
      >,
      'Number'
    >;
  readonly String: ((value: Operand<unknown>) => Expr<string, 'String'>) &
    Methods<Pick<typeof String, 'fromCharCode' | 'fromCodePoint'>, 'String'>;
  readonly Boolean: (value: Operand<unknown>) => Expr<boolean, 'Boolean'>;
  readonly BigInt: (value: Operand<string | number | bigint | boolean>) => Expr<bigint, 'BigInt'>;
  readonly Array: { isArray(value: Operand<unknown>): Expr<boolean, 'isArray'> };
  readonly Object: {
    keys(value: Operand<object>): Expr<readonly string[], 'keys'>;
    values<T>(value: Operand<Readonly<Record<string, T>>>): Expr<readonly T[], 'values'>;
    hasOwn(value: Operand<object>, key: Operand<string>): Expr<boolean, 'hasOwn'>;
  };
  readonly Date: {
    now(): Expr<number, 'now'>;
    parse(text: Operand<string>): Expr<number, 'parse'>;
    UTC(...parts: Operand<number>[]): Expr<number, 'UTC'>;
  };
  readonly JSON: {
    parse<T>(text: Operand<string>): Expr<T, 'parse'>;
    stringify(value: Operand<unknown>): Expr<string, 'stringify'>;
  };
}

/** What the evaluation provides: a value, or a function that is called with operands. */
export type Captured<T> = T extends (...args: infer A) => infer R
  ? (...args: { [I in keyof A]: Operand<A[I]> }) => Expr<R, '@()'>
  : Expr<T, '@'>;
