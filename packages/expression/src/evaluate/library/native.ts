import {
  type Site,
  asExpressionError,
  byEngine,
  fail,
  limit,
  chargeSlowText,
  roomForItems,
  roomForText,
} from '../run.ts';
import {
  boundedBigint,
  cleanCopy,
  elementsOf,
  lengthOf,
  ownEntries,
  plainData,
  toNumber,
  toNumeric,
  toPrimitive,
  toText,
  typeOf,
} from '../value.ts';

/** A method or function that trees may call. Lambdas come as functions of ours. */
export type Method = (self: unknown, args: readonly unknown[], at: Site) => unknown;

export type Lambda = (...args: unknown[]) => unknown;

export const toLambda = (value: unknown, at: Site): Lambda =>
  typeof value === 'function' ? (value as Lambda) : fail('eval.type', at, 'A lambda is wanted');

/** What the engine makes a bigint of, or refuses. */
const toBigintSource = (value: unknown, at: Site): unknown => {
  const primitive = toPrimitive(value, at);
  if (typeof primitive === 'string') {
    const { length } = primitive.trim();
    // The signs of a radix are no digits.
    limit('bigintDigits', length - 3, at);
    chargeSlowText(length, at);
  }
  return primitive;
};

type Convert = (value: unknown, at: Site, self: unknown) => unknown;

const unlessUndefined =
  (convert: Convert): Convert =>
  (value, at, self) =>
    value === undefined ? value : convert(value, at, self);

/** What an argument becomes before the engine gets it: nothing that has code of its own. */
const KINDS = {
  /** Only for what the engine does not look into. */
  value: (value) => value,
  /** A reviver or replacer. */
  nothing: (value, at) =>
    (value ?? null) === null ? undefined : fail('eval.type', at, 'No reviver or replacer is allowed'),
  number: unlessUndefined(toNumber),
  /** A place in an array; of an empty one it does not matter. */
  place: (value, at, self) => (lengthOf(self as object) === 0 ? undefined : toNumber(value, at)),
  numeric: toNumeric,
  bigint: toBigintSource,
  text: unlessUndefined((value, at) => toText(value, at)),
  /** A regular expression is no text here, as ECMAScript would treat it in another way. */
  part: unlessUndefined((value, at) =>
    typeOf(value) === 'regexp' ? fail('eval.type', at, 'A text is wanted, not regexp') : toText(value, at),
  ),
  data: (value, at) => Object.fromEntries(ownEntries(plainData(value, at), at)),
  lambda: (value, at, self) => {
    const call = toLambda(value, at);
    return (...args: unknown[]): unknown => {
      try {
        // Last comes the array: the engine has a copy, the tree knows the one that it named.
        return call(...args.slice(0, -1), self);
      } catch (error) {
        throw asExpressionError(error, at);
      }
    };
  },
} satisfies Readonly<Record<string, Convert>>;

type Kind = keyof typeof KINDS;

/** Of arguments in their order, or of all of them. */
export type Kinds = '' | Kind | `${Kind} ${Kind}` | `...${Kind}`;

const convertOf = (kind: string): Convert => KINDS[kind as Kind];

/** Charges for what is about to be done, and may change the arguments. */
export type Before = (self: never, args: never[], at: Site) => void;

/** What becomes of the result. */
export type After = (made: unknown, at: Site) => unknown;

export const chargeMade: After = (made, at) => {
  if (typeof made === 'string') roomForText(made.length, at);
  if (typeof made === 'bigint') boundedBigint(made, at);
  if (Array.isArray(made)) roomForItems(made.length, at);
  return made;
};

type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;

/** The engine's own functions. What comes behind the arguments of these kinds is a value. */
export const natives = <Names extends string>(
  owner: object,
  names: Names,
  kinds: Kinds = '',
  before?: Before,
  after = chargeMade,
): Readonly<Record<Words<Names>, Method>> => {
  const [first, rest = 'value'] = kinds.split('...');
  const converts = first === '' ? [] : first!.split(' ').map(convertOf);
  const convertRest = convertOf(rest);
  const make = (name: string): Method => {
    const native = (owner as Record<string, Lambda>)[name]!;
    return (self, given, at) => {
      const receiver = Array.isArray(self) ? elementsOf(self, at) : cleanCopy(self, at);
      const args = given.map((arg, index) => (converts[index] ?? convertRest)(arg, at, self));
      before?.(receiver as never, args as never[], at);
      return after(
        byEngine(at, () => Reflect.apply(native, receiver, args)),
        at,
      );
    };
  };
  return Object.fromEntries(names.split(' ').map((name) => [name, make(name)])) as Record<Words<Names>, Method>;
};
