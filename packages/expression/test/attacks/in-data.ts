import { build } from '../../src/index.ts';
import { type Attack, error, value, text, t, method, raw, Sub, Model, convertible, trip } from './attack.ts';

const { arrayLit, binary, call, capture, constant, global, lambda, member, objectLit, param, spread, template } = build;

export const inData: readonly Attack[] = [
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
  ...[binary('in', text('a'), t), build.isIn(text('a'), t), method(global('Object'), 'hasOwn', t, text('a'))].map(
    (tree) => ({
      name: `a getter as a key of ${tree.kind}`,
      tree,
      params: {
        t: {
          get a() {
            return trip();
          },
        },
      },
      gets: value(false),
    }),
  ),
  {
    name: 'the lastIndex of a regexp',
    tree: member(t, 'lastIndex'),
    params: { t: Object.assign(/a/g, { lastIndex: 5 }) },
    gets: value(undefined),
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
    accessor: true,
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
    accessor: true,
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
  {
    name: 'a function in an array, behind what is found',
    tree: method(t, 'find', lambda(['x'], binary('===', param('x'), constant(1)))),
    params: { t: [1, trip] },
    gets: value(1),
  },
  {
    name: 'a function in an array, before what is found',
    tree: method(t, 'find', lambda(['x'], binary('===', param('x'), constant(1)))),
    params: { t: [trip, 1] },
    gets: error('eval.notValue'),
  },
  {
    name: 'a getter as an element, for a lambda',
    tree: method(t, 'map', lambda(['x', 'at', 'all'], binary('===', param('all'), t))),
    params: { t: Object.defineProperty([1, 2], 0, { get: trip, enumerable: true }) },
    accessor: true,
    gets: value(Object.assign([], { length: 2, 1: true })),
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
          ownKeys: () => ['a'],
          getOwnPropertyDescriptor: () => {
            throw new Error('trap');
          },
          getPrototypeOf: () => null,
        },
      ),
    },
    accessor: true,
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
