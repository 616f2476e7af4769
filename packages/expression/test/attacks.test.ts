import { describe, expect, test } from 'vitest';
import { type Node, build, compile, evaluate } from '../src/index.ts';
import { ENGINES, outcomeOf } from './engines.ts';

const {
  arrayLit,
  binary,
  call,
  capture,
  constant,
  global,
  index,
  isIn,
  lambda,
  member,
  objectLit,
  param,
  spread,
  template,
  unary,
} = build;

/** Whatever the host's data would run leaves a trace here. */
let canary = 0;
const trip = (): number => ++canary;

interface Attack {
  readonly name: string;
  readonly tree: Node;
  readonly params?: Record<string, unknown>;
  readonly scope?: Record<string, unknown>;
  /** Breaks the word that `data: 'plain'` gives, so that it is no attack there. */
  readonly accessor?: true;
  readonly gets: { readonly value: unknown } | { readonly error: string };
}

const error = (code: string): { error: string } => ({ error: code });
const value = (given: unknown): { value: unknown } => ({ value: given });
const text = (given: string): Node => constant(given);
const t = param('t');
const method = (object: Node, name: string, ...args: Node[]): Node => call(member(object, name), args);
const spell = (word: string): Node => binary('+', text(word.slice(0, 3)), text(word.slice(3)));
const raw = (node: unknown): Node => node as Node;
const deep = (depth: number): Node => {
  let node: Node = constant(1);
  for (let level = 0; level < depth; level++) node = { kind: 'Unary', op: '-', operand: node };
  return node;
};
const nestedArray = (depth: number): unknown[] => {
  let nested: unknown[] = [];
  for (let level = 0; level < depth; level++) nested = [nested];
  return nested;
};
const cyclic: unknown[] = [];
cyclic.push(cyclic);
class Sub extends Array<unknown> {
  static override get [Symbol.species](): ArrayConstructor {
    trip();
    return Array;
  }
  override map(): never {
    trip();
    throw new Error('ran');
  }
  get first(): number {
    return trip();
  }
}
class Model {
  own = 'data';
  get computed(): number {
    return trip();
  }
  method(): number {
    return trip();
  }
}
const convertible = { toString: trip, valueOf: trip, [Symbol.toPrimitive]: trip, toJSON: trip };

const reaching: readonly Attack[] = [
  { name: "''.constructor", tree: member(text(''), 'constructor'), gets: value(undefined) },
  {
    name: "''.constructor.constructor",
    tree: member(member(text(''), 'constructor'), 'constructor'),
    gets: error('eval.nullBase'),
  },
  {
    name: "''.constructor.constructor('…')()",
    tree: call(call(member(member(text(''), 'constructor'), 'constructor'), [text('trip()')])),
    gets: error('call.denied'),
  },
  { name: "[]['constructor']", tree: index(constant([]), text('constructor')), gets: value(undefined) },
  { name: "t['con' + 'structor']", tree: index(t, spell('constructor')), params: { t: {} }, gets: value(undefined) },
  {
    name: 't[`${…}structor`]',
    tree: index(t, template(['', 'structor'], [text('con')])),
    params: { t: {} },
    gets: value(undefined),
  },
  {
    name: "t[['constructor']]",
    tree: index(t, arrayLit([text('constructor')])),
    params: { t: {} },
    gets: value(undefined),
  },
  {
    name: "t[{toString: () => 'constructor'}]",
    tree: index(t, param('key')),
    params: { t: {}, key: convertible },
    gets: value(undefined),
  },
  {
    name: "t['con' + 'structor']()",
    tree: call(index(t, spell('constructor'))),
    params: { t: {} },
    gets: error('call.denied'),
  },
  {
    name: "t['constructor']()",
    tree: call(index(t, text('constructor'))),
    params: { t: {} },
    gets: error('call.denied'),
  },
  {
    name: "t.constructor('…')",
    tree: method(t, 'constructor', text('x')),
    params: { t: {} },
    gets: error('call.denied'),
  },
  { name: '(() => 1).constructor', tree: member(lambda([], constant(1)), 'constructor'), gets: error('eval.lambda') },
  { name: '(() => 1).call(…)', tree: method(lambda([], constant(1)), 'call'), gets: error('eval.lambda') },
  {
    name: '[].map.constructor',
    tree: member(member(constant([]), 'map'), 'constructor'),
    gets: error('eval.nullBase'),
  },
  {
    name: "[].map.call('ab', f)",
    tree: method(member(constant([]), 'map'), 'call', text('ab')),
    gets: error('eval.nullBase'),
  },
  {
    name: '[1].map(Function) by a host function as a value',
    tree: method(constant([1]), 'map', capture('host')),
    scope: { host: Function },
    gets: error('eval.notValue'),
  },
  {
    name: '[1].map(t.fn)',
    tree: method(constant([1]), 'map', member(t, 'fn')),
    params: { t: { fn: trip } },
    gets: error('eval.notValue'),
  },
  { name: "[1].map('constructor')", tree: method(constant([1]), 'map', text('constructor')), gets: error('eval.type') },
  { name: 'Math.constructor(…)', tree: method(global('Math'), 'constructor', text('x')), gets: error('call.denied') },
  {
    name: 'Object.constructor(…)',
    tree: method(global('Object'), 'constructor', text('trip()')),
    gets: error('call.denied'),
  },
  {
    name: 'Object.getPrototypeOf(t)',
    tree: method(global('Object'), 'getPrototypeOf', t),
    params: { t: {} },
    gets: error('call.denied'),
  },
  {
    name: 'Object.assign(t, …)',
    tree: method(global('Object'), 'assign', t, constant({ a: 1 })),
    params: { t: {} },
    gets: error('call.denied'),
  },
  {
    name: 'Object.defineProperty(t, …)',
    tree: method(global('Object'), 'defineProperty', t),
    params: { t: {} },
    gets: error('call.denied'),
  },
  {
    name: 'Array.from({length: 1e9})',
    tree: method(global('Array'), 'from', constant({ length: 1e9 })),
    gets: error('call.denied'),
  },
  { name: 'Math as a value', tree: global('Math'), gets: error('eval.global') },
  { name: 'Object.prototype', tree: member(global('Object'), 'prototype'), gets: error('eval.global') },
  {
    name: 'a global off the list',
    tree: raw({ kind: 'Capture', name: 'globalThis', global: true }),
    gets: error('eval.global'),
  },
  { name: 'process by capture', tree: capture('process'), gets: error('eval.unboundCapture') },
  {
    name: 'a capture that the scope inherits',
    tree: capture('toString'),
    scope: {},
    gets: error('eval.unboundCapture'),
  },
  {
    name: 'a call of a capture that the scope inherits',
    tree: call(capture('constructor'), [text('x')]),
    scope: {},
    gets: error('eval.unboundCapture'),
  },
  { name: 'eval(…) by capture', tree: call(capture('eval'), [text('trip()')]), gets: error('eval.unboundCapture') },
  {
    name: 'a parameter that the inputs inherit',
    tree: param('constructor'),
    params: {},
    gets: error('eval.unboundParam'),
  },
  {
    name: 't.__proto__',
    tree: raw({ kind: 'Member', object: t, prop: '__proto__' }),
    params: { t: {} },
    gets: error('key.forbidden'),
  },
  {
    name: "t['__pro' + 'to__']",
    tree: index(t, binary('+', text('__pro'), text('to__'))),
    params: { t: {} },
    gets: error('key.forbidden'),
  },
  {
    name: '{__proto__: …}',
    tree: raw({ kind: 'ObjectLit', props: [{ key: '__proto__', value: constant(1) }] }),
    gets: error('key.forbidden'),
  },
  {
    name: '{...JSON.parse(\'{"__proto__": …}\')}',
    tree: objectLit([spread(method(global('JSON'), 'parse', text('{"__proto__":{"a":1}}')))]),
    gets: error('key.forbidden'),
  },
  {
    name: 't.__defineGetter__(…)',
    tree: method(t, '__defineGetter__', text('a')),
    params: { t: {} },
    gets: error('call.denied'),
  },
  {
    name: 't.hasOwnProperty(…)',
    tree: method(t, 'hasOwnProperty', text('a')),
    params: { t: {} },
    gets: error('call.denied'),
  },
  { name: 'arguments', tree: capture('arguments'), gets: error('eval.unboundCapture') },
  {
    name: 't.fn.caller',
    tree: member(member(t, 'fn'), 'caller'),
    params: { t: { fn: trip } },
    gets: error('eval.notValue'),
  },
  {
    name: "'__proto__' in t",
    tree: binary('in', text('__proto__'), t),
    params: { t: {} },
    gets: error('key.forbidden'),
  },
  { name: "'constructor' in t", tree: binary('in', text('constructor'), t), params: { t: {} }, gets: value(false) },
  { name: "In('constructor', t)", tree: isIn(text('constructor'), t), params: { t: {} }, gets: value(false) },
  { name: 'code in a property name', tree: member(t, 'a"];trip();["'), params: { t: {} }, gets: value(undefined) },
  { name: 'code in a parameter name', tree: param('t){trip()}('), gets: error('eval.unboundParam') },
  { name: 'code in a capture name', tree: capture('${trip()}'), gets: error('eval.unboundCapture') },
  {
    name: 'code in a key',
    tree: objectLit([{ key: '"+trip()+"', value: constant(1) }]),
    gets: value({ '"+trip()+"': 1 }),
  },
  { name: 'code in a quasi', tree: template(['`+trip()+`${trip()}'], []), gets: value('`+trip()+`${trip()}') },
  { name: 'code in a text, with line separators', tree: text('"\u2028trip()//\\'), gets: value('"\u2028trip()//\\') },
  {
    name: 'code in an operator',
    tree: raw({ kind: 'Binary', op: '+trip()+', left: constant(1), right: constant(1) }),
    gets: error('eval.node'),
  },
  {
    name: 'an operator that objects inherit',
    tree: raw({ kind: 'Binary', op: 'constructor', left: constant(1), right: constant(1) }),
    gets: error('eval.node'),
  },
  { name: 'a kind that does not exist', tree: raw({ kind: 'constructor' }), gets: error('eval.node') },
  {
    name: 'a name that is an object',
    tree: raw({ kind: 'Member', object: t, prop: convertible }),
    params: { t: {} },
    gets: error('eval.node'),
  },
  { name: 'null for a node', tree: raw({ kind: 'Unary', op: '!', operand: null }), gets: error('eval.node') },
  { name: 'a function as a constant', tree: raw({ kind: 'Constant', value: trip }), gets: error('eval.notValue') },
];

const inData: readonly Attack[] = [
  {
    name: 'a getter in a row',
    tree: member(t, 'a'),
    params: {
      t: {
        get a() {
          return trip();
        },
      },
    },
    accessor: true,
    gets: value(undefined),
  },
  {
    name: 'a getter that is spread',
    tree: objectLit([spread(t)]),
    params: {
      t: {
        get a() {
          return trip();
        },
        b: 1,
      },
    },
    gets: value({ b: 1 }),
  },
  {
    name: 'a getter in Object.values',
    tree: method(global('Object'), 'values', t),
    params: {
      t: {
        get a() {
          return trip();
        },
        b: 1,
      },
    },
    gets: value([1]),
  },
  {
    name: 'a getter in JSON.stringify',
    tree: method(global('JSON'), 'stringify', t),
    params: {
      t: {
        get a() {
          return trip();
        },
        b: 1,
      },
    },
    gets: value('{"b":1}'),
  },
  {
    name: 'a getter as an element',
    tree: method(t, 'join', text('-')),
    params: { t: Object.defineProperty([1, 2], 0, { get: trip, enumerable: true }) },
    gets: value('-2'),
  },
  {
    name: 'a getter among the inputs',
    tree: t,
    params: {
      get t() {
        return trip();
      },
    },
    accessor: true,
    gets: error('eval.unboundParam'),
  },
  {
    name: 'a getter in the scope',
    tree: capture('a'),
    scope: {
      get a() {
        return trip();
      },
    },
    gets: error('eval.unboundCapture'),
  },
  { name: 'a getter of a class', tree: member(t, 'computed'), params: { t: new Model() }, gets: value(undefined) },
  { name: 'a method of a class', tree: method(t, 'method'), params: { t: new Model() }, gets: error('call.denied') },
  { name: 'data of a class', tree: member(t, 'own'), params: { t: new Model() }, gets: value('data') },
  {
    name: 'a property of a prototype',
    tree: member(t, 'secret'),
    params: { t: Object.create({ secret: 1 }) },
    gets: value(undefined),
  },
  { name: 'a function in data', tree: member(t, 'fn'), params: { t: { fn: trip } }, gets: error('eval.notValue') },
  {
    name: 'a call of a function in data',
    tree: method(t, 'fn'),
    params: { t: { fn: trip } },
    gets: error('call.denied'),
  },
  {
    name: 'an optional call of a function in data',
    tree: call(member(t, 'fn'), [], true),
    params: { t: { fn: trip } },
    gets: error('call.denied'),
  },
  {
    name: 'a function in an array',
    tree: method(t, 'includes', constant(1)),
    params: { t: [trip] },
    gets: error('eval.notValue'),
  },
  { name: 'a symbol in data', tree: member(t, 's'), params: { t: { s: Symbol('s') } }, gets: error('eval.notValue') },
  { name: 'a function as an input', tree: t, params: { t: trip }, gets: error('eval.notValue') },
  {
    name: 'a host function that returns a function',
    tree: call(capture('host')),
    scope: { host: () => trip },
    gets: error('eval.notValue'),
  },
  { name: 'valueOf in arithmetic', tree: binary('*', t, constant(2)), params: { t: convertible }, gets: value(NaN) },
  {
    name: 'toString in a template',
    tree: template(['', ''], [t]),
    params: { t: convertible },
    gets: value('[object Object]'),
  },
  {
    name: 'toPrimitive in a comparison',
    tree: binary('<', t, constant(2)),
    params: { t: convertible },
    gets: value(false),
  },
  {
    name: 'toString of an element',
    tree: method(t, 'join'),
    params: { t: [convertible, 1] },
    gets: value('[object Object],1'),
  },
  {
    name: 'toString as a comparator',
    tree: method(t, 'toSorted'),
    params: { t: [convertible, 1] },
    gets: value([1, convertible]),
  },
  {
    name: 'toJSON',
    tree: method(global('JSON'), 'stringify', t),
    params: { t: { a: { toJSON: trip } } },
    gets: error('eval.notValue'),
  },
  {
    name: 'a Date with its own toISOString',
    tree: method(t, 'toISOString'),
    params: { t: Object.assign(new Date(0), { toISOString: trip }) },
    gets: value('1970-01-01T00:00:00.000Z'),
  },
  {
    name: 'a Date with its own valueOf',
    tree: binary('-', t, constant(0)),
    params: {
      t: Object.defineProperty(Object.assign(new Date(5), { valueOf: trip }), Symbol.toPrimitive, { value: trip }),
    },
    gets: value(5),
  },
  {
    name: 'an object that pretends to be a Date',
    tree: method(t, 'getTime'),
    params: { t: Object.create(Date.prototype) },
    gets: error('call.denied'),
  },
  {
    name: 'instanceof with Symbol.hasInstance',
    tree: raw({ kind: 'Binary', op: 'instanceof', left: constant(1), right: t }),
    params: { t: { [Symbol.hasInstance]: trip } },
    gets: error('eval.type'),
  },
  {
    name: 'an object that pretends to be an Array',
    tree: binary('instanceof', t, global('Array')),
    params: { t: Object.create(Array.prototype) },
    gets: value(false),
  },
  {
    name: 'an array of a subclass, mapped',
    tree: method(t, 'map', lambda(['x'], binary('+', param('x'), constant(1)))),
    params: { t: Sub.from([1, 2]) },
    gets: value([2, 3]),
  },
  {
    name: 'a getter of a subclass of Array',
    tree: member(t, 'first'),
    params: { t: Sub.from([1]) },
    gets: value(undefined),
  },
  {
    name: 'an array that concat should spread',
    tree: method(constant([1]), 'concat', t),
    params: { t: { [Symbol.isConcatSpreadable]: true, length: 1, 0: 'x' } },
    gets: value([1, { 0: 'x', length: 1, [Symbol.isConcatSpreadable]: true }]),
  },
  {
    name: 'an iterator of its own',
    tree: arrayLit([spread(t)]),
    params: { t: Object.assign([1], { [Symbol.iterator]: trip }) },
    gets: value([1]),
  },
  {
    name: 'a text with Symbol.replace as the pattern',
    tree: method(text('a'), 'replace', t, text('b')),
    params: { t: { [Symbol.replace]: trip, toString: trip } },
    gets: value('a'),
  },
  {
    name: 'a separator with Symbol.split',
    tree: method(text('a'), 'split', t),
    params: { t: { [Symbol.split]: trip } },
    gets: value(['a']),
  },
  {
    name: 'a proxy whose traps throw',
    tree: member(t, 'a'),
    params: {
      t: new Proxy(
        {},
        {
          getOwnPropertyDescriptor: () => {
            throw new Error('trap');
          },
          getPrototypeOf: () => null,
        },
      ),
    },
    gets: error('eval.host'),
  },
  { name: 'a proxy of plain data', tree: member(t, 'a'), params: { t: new Proxy({ a: 1 }, {}) }, gets: value(1) },
  {
    name: 'a regexp with its own exec',
    tree: method(t, 'test', text('a')),
    params: { t: Object.assign(/a/, { exec: trip }) },
    gets: error('call.denied'),
  },
  {
    name: 'a regexp with its own source, as a text',
    tree: template(['', ''], [t]),
    params: { t: Object.defineProperty(/a/g, 'source', { get: trip }) },
    gets: value('/a/g'),
  },
  {
    name: 'a host function that throws',
    tree: call(capture('host')),
    scope: {
      host: () => {
        throw new Error('x');
      },
    },
    gets: error('eval.host'),
  },
];

const costly: readonly Attack[] = [
  {
    name: "'a'.repeat(1e9)",
    tree: method(text('a'), 'repeat', constant(1e9)),
    gets: error('limit.outputStringLength'),
  },
  { name: "'a'.repeat(Infinity)", tree: method(text('a'), 'repeat', constant(Infinity)), gets: error('eval.range') },
  {
    name: "'a'.padEnd(1e9)",
    tree: method(text('a'), 'padEnd', constant(1e9)),
    gets: error('limit.outputStringLength'),
  },
  {
    name: "'a'.padStart(2 ** 53, 'xy')",
    tree: method(text('a'), 'padStart', constant(2 ** 53), text('xy')),
    gets: error('limit.outputStringLength'),
  },
  {
    name: 'doubling a text',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], binary('+', param('s'), param('s'))),
      text('x'),
    ),
    gets: error('limit.outputStringLength'),
  },
  {
    name: 'doubling a text by templates',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], template(['', '', ''], [param('s'), param('s')])),
      text('x'),
    ),
    gets: error('limit.outputStringLength'),
  },
  {
    name: 'doubling a text by replaceAll',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], method(param('s'), 'replaceAll', text('x'), text('xx'))),
      text('x'),
    ),
    gets: error('limit.steps'),
  },
  {
    name: 'replaceAll with what stands before',
    tree: method(method(text('x'), 'repeat', constant(60_000)), 'replaceAll', text('x'), text('$`')),
    gets: error('limit.outputStringLength'),
  },
  {
    name: 'doubling an array',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], method(param('s'), 'concat', param('s'))),
      constant([1]),
    ),
    gets: error('limit.outputArrayLength'),
  },
  {
    name: 'doubling an array by spread',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], arrayLit([spread(param('s')), spread(param('s'))])),
      constant([1]),
    ),
    gets: error('limit.outputArrayLength'),
  },
  {
    name: 'nested arrays that share, flattened',
    tree: method(
      method(
        constant(Array.from({ length: 24 }, () => 0)),
        'reduce',
        lambda(['s'], arrayLit([param('s'), param('s')])),
        constant([1]),
      ),
      'flat',
      constant(Infinity),
    ),
    gets: error('limit.outputArrayLength'),
  },
  {
    name: 'nested arrays that share, as a text',
    tree: binary(
      '+',
      text(''),
      method(
        constant(Array.from({ length: 24 }, () => 0)),
        'reduce',
        lambda(['s'], arrayLit([param('s'), param('s')])),
        constant([1]),
      ),
    ),
    gets: error('limit.steps'),
  },
  {
    name: 'loops in loops',
    tree: [1, 2, 3, 4].reduce(
      (body): Node => method(constant(Array.from({ length: 60 }, () => 0)), 'map', lambda(['x'], body)),
      constant(1) as Node,
    ),
    gets: error('limit.steps'),
  },
  {
    name: 'a comparator that never settles',
    tree: method(constant(Array.from({ length: 1000 }, (_, at) => at)), 'toSorted', lambda(['a', 'b'], constant(1))),
    gets: value(Array.from({ length: 1000 }, (_, at) => 999 - at)),
  },
  {
    name: 'a sparse array of 2 ** 32 - 1',
    tree: method(t, 'map', lambda([], constant(1))),
    params: { t: Object.assign([], { length: 2 ** 32 - 1 }) },
    gets: error('limit.outputArrayLength'),
  },
  {
    name: 'a sparse array, searched',
    tree: method(t, 'includes', constant(1)),
    params: { t: Object.assign([], { length: 2 ** 32 - 1 }) },
    gets: error('limit.steps'),
  },
  {
    name: 'a sparse array, joined',
    tree: method(t, 'join'),
    params: { t: Object.assign([], { length: 2 ** 32 - 1 }) },
    gets: error('limit.steps'),
  },
  {
    name: 'a sparse array, tested',
    tree: method(t, 'every', lambda([], constant(true))),
    params: { t: Object.assign([], { length: 2 ** 32 - 1 }) },
    gets: error('limit.steps'),
  },
  {
    name: '10n ** 1000000000n',
    tree: binary('**', constant(10n), constant(10n ** 9n)),
    gets: error('limit.bigintDigits'),
  },
  { name: '(-1n) ** a huge power', tree: binary('**', constant(-1n), constant(10n ** 30n + 1n)), gets: value(-1n) },
  { name: '2n ** -1n', tree: binary('**', constant(2n), constant(-1n)), gets: error('eval.range') },
  {
    name: 'squaring a bigint again and again',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], binary('*', param('s'), param('s'))),
      constant(7n),
    ),
    gets: error('limit.bigintDigits'),
  },
  {
    name: "BigInt('9'.repeat(1e5))",
    tree: call(global('BigInt'), [method(text('9'), 'repeat', constant(1e5))]),
    gets: error('limit.bigintDigits'),
  },
  {
    name: 'BigInt.asUintN(1e9, -1n)',
    tree: method(global('BigInt'), 'asUintN', constant(1e9), constant(-1n)),
    gets: error('eval.range'),
  },
  { name: '10 ** 1e9', tree: binary('**', constant(10), constant(1e9)), gets: value(Infinity) },
  { name: '1n / 0n', tree: binary('/', constant(1n), constant(0n)), gets: error('eval.range') },
  {
    name: 'JSON.parse of nested arrays',
    tree: method(global('JSON'), 'parse', method(text('['), 'repeat', constant(1e5))),
    gets: error('eval.syntax'),
  },
  {
    name: 'JSON.parse of nested arrays that close',
    tree: method(
      global('JSON'),
      'parse',
      binary('+', method(text('['), 'repeat', constant(5000)), method(text(']'), 'repeat', constant(5000))),
    ),
    gets: error('limit.depth'),
  },
  {
    name: 'JSON.parse of a wide array',
    tree: method(
      global('JSON'),
      'parse',
      binary('+', binary('+', text('['), method(text('0,'), 'repeat', constant(2e5))), text('0]')),
    ),
    gets: error('limit.outputArrayLength'),
  },
  {
    name: 'JSON.stringify of deep data',
    tree: method(global('JSON'), 'stringify', t),
    params: { t: nestedArray(5000) },
    gets: error('limit.depth'),
  },
  {
    name: 'JSON.stringify of a cycle',
    tree: method(global('JSON'), 'stringify', t),
    params: { t: cyclic },
    gets: error('limit.depth'),
  },
  { name: 'a cycle as a text', tree: binary('+', text(''), t), params: { t: cyclic }, gets: error('limit.depth') },
  {
    name: 'a cycle, flattened',
    tree: method(t, 'flat', constant(Infinity)),
    params: { t: cyclic },
    gets: error('limit.depth'),
  },
  {
    name: 'deep data as a text',
    tree: template(['', ''], [t]),
    params: { t: nestedArray(50_000) },
    gets: error('limit.depth'),
  },
  { name: 'a tree 100,000 deep', tree: deep(100_000), gets: error('limit.depth') },
  {
    name: 'a constant 100,000 deep',
    tree: raw({ kind: 'Constant', value: nestedArray(100_000) }),
    gets: error('limit.depth'),
  },
  { name: 'a tree at the limit', tree: deep(256), gets: value(1) },
  {
    name: 'a tree with too many nodes by sharing',
    tree: ((): Node => {
      let node: Node = constant(1);
      for (let level = 0; level < 30; level++) node = { kind: 'Binary', op: '+', left: node, right: node };
      return node;
    })(),
    gets: error('limit.nodes'),
  },
  {
    name: 'lambdas too deep',
    tree: Array.from({ length: 9 }).reduce<Node>((body) => call(lambda([], body)), constant(1)),
    gets: error('limit.lambdaNesting'),
  },
  {
    name: 'searching for half of a long text',
    tree: method(
      method(text('a'), 'repeat', constant(1e6)),
      'includes',
      binary('+', method(text('a'), 'repeat', constant(5e5)), text('b')),
    ),
    gets: error('limit.steps'),
  },
  {
    name: 'a regular expression of a stranger',
    tree: method(constant(/(a+)+$/), 'test', text('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')),
    gets: error('call.denied'),
  },
  {
    name: 'a regular expression as a separator',
    tree: method(text('aaa'), 'split', constant(/(a+)+$/)),
    gets: error('eval.type'),
  },
  { name: "RegExp('…')", tree: call(global('RegExp'), [text('(a+)+$')]), gets: error('call.denied') },
  { name: "'a'.match(…)", tree: method(text('a'), 'match', text('(a+)+$')), gets: error('call.denied') },
  { name: 'Math.random()', tree: method(global('Math'), 'random'), gets: error('call.denied') },
  { name: 'Date.now() without a clock', tree: method(global('Date'), 'now'), gets: error('call.denied') },
  { name: 'Date()', tree: call(global('Date')), gets: error('call.denied') },
  { name: 'an invalid Date', tree: method(t, 'toISOString'), params: { t: new Date(NaN) }, gets: error('eval.range') },
  { name: 'a method that writes', tree: method(t, 'push', constant(1)), params: { t: [] }, gets: error('call.denied') },
  { name: 'sorting in place', tree: method(t, 'sort'), params: { t: [2, 1] }, gets: error('call.denied') },
  {
    name: 'the time zone of the host',
    tree: method(t, 'getHours'),
    params: { t: new Date(0) },
    gets: error('call.denied'),
  },
  { name: 'the locale of the host', tree: method(constant(1.5), 'toLocaleString'), gets: error('call.denied') },
];

const engines = Object.keys(ENGINES);
const globalsBefore = Reflect.ownKeys(globalThis);
const prototypes = [Object, Array, String, Function, Date, RegExp, Number].map(({ prototype }) => prototype as object);
const shapeOf = (): unknown => prototypes.map((prototype) => Reflect.ownKeys(prototype));
const shapeBefore = shapeOf();

describe.each([
  ['reaching what is not given', reaching],
  ['code in data', inData],
  ['time and memory', costly],
] as const)('%s', (_group, attacks) => {
  test.each(attacks.map((attack) => ({ ...attack })))('$name', (attack) => {
    for (const engine of engines) {
      if (attack.accessor && engine.includes('plain')) continue;
      const outcome = outcomeOf(engine, attack.tree, { params: attack.params, scope: attack.scope });
      const got = 'error' in outcome ? { error: outcome.error } : outcome;
      expect(got, engine).toStrictEqual(attack.gets);
    }
    expect(canary).toBe(0);
  });
});

test('a polluted Object.prototype is not seen', () => {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  const compiled = engines.slice(1).map((engine) => {
    const [mode, data] = engine.includes('plain') ? [engine.split(',')[0], 'plain'] : [engine, 'any'];
    return compile(member(t, 'polluted'), { mode: mode as 'code', data: data as 'any' });
  });
  for (const run of compiled) expect(run({ t: {} })).toBe(undefined);
  try {
    prototype['polluted'] = 'leak';
    Object.defineProperty(prototype, 'hidden', { get: trip, configurable: true });
    for (const run of compiled) {
      expect(run({ t: {} })).toBe(undefined);
      expect(run({ t: { polluted: 'own' } })).toBe('own');
    }
    for (const engine of engines) {
      expect(outcomeOf(engine, param('polluted'), { params: {} })).toStrictEqual({
        error: 'eval.unboundParam',
        path: '/root',
      });
      expect(outcomeOf(engine, capture('polluted'), { scope: {} })).toStrictEqual({
        error: 'eval.unboundCapture',
        path: '/root',
      });
      expect(outcomeOf(engine, member(t, 'hidden'), { params: { t: {} } })).toStrictEqual(value(undefined));
    }
  } finally {
    delete prototype['polluted'];
    delete prototype['hidden'];
  }
  expect(canary).toBe(0);
});

test('what is returned can be changed without changing the tree', () => {
  const tree = constant({ when: new Date(0), list: [1] });
  for (const engine of engines) {
    const { value: first } = outcomeOf(engine, tree) as { value: { when: Date } };
    first.when.setTime(9);
    expect(outcomeOf(engine, tree)).toStrictEqual(value({ when: new Date(0), list: [1] }));
  }
  const row = { when: new Date(0) };
  (evaluate(member(t, 'when'), { params: { t: row } }) as Date).setTime(9);
  expect(row.when.getTime()).toBe(0);
});

test('a tree that changes after compiling changes nothing', () => {
  const list = [1, 2];
  const tree = { kind: 'Constant', value: list } as const;
  const run = compile(tree);
  list.push(3);
  expect(run()).toStrictEqual([1, 2]);
});

test('a host function may evaluate the same tree again', () => {
  let depth = 0;
  const scope = { host: (): unknown => (depth++ < 3 ? run() : 1) };
  const run = compile(binary('+', call(capture('host')), constant(1)), { scope });
  expect(run()).toBe(5);
});

test('typeof a missing capture is the one place where it may be missing', () => {
  for (const engine of engines) {
    expect(outcomeOf(engine, unary('typeof', capture('missing')))).toStrictEqual(value('undefined'));
    expect(outcomeOf(engine, unary('typeof', member(capture('missing'), 'a')))).toStrictEqual({
      error: 'eval.unboundCapture',
      path: '/root/operand/object',
    });
  }
});

test('after all of it nothing global has changed', () => {
  expect(canary).toBe(0);
  expect(Reflect.ownKeys(globalThis)).toStrictEqual(globalsBefore);
  expect(shapeOf()).toStrictEqual(shapeBefore);
});
