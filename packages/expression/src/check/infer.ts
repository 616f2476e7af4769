import type { Catalogue } from '../catalogue/catalogue.ts';
import { fieldsPresent, rowMember } from '../catalogue/row.ts';
import { LAMBDA_METHODS } from '../evaluate/library/array.ts';
import { GLOBAL_FUNCTIONS } from '../evaluate/library/globals.ts';
import { METHODS } from '../evaluate/library/methods.ts';
import { quote } from '../text/strings.ts';
import { globalName, memberName } from '../tree/called.ts';
import { GLOBAL_CONSTANTS, VALUE_GLOBALS } from '../tree/globals.ts';
import { lookUp } from '../tree/look-up.ts';
import type { Binary, Call, Index, Logical, Member, Node, Unary } from '../tree/node.ts';
import { partsOf, pathTo } from '../tree/parts.ts';
import { checkComparison, reportUnlisted } from './compare.ts';
import { type Condition, checkContradiction } from './contradiction.ts';
import { type Reporting, report, reportUnknown, reportUnknownField } from './report.ts';
import { GLOBAL_RESULTS, resultOf } from './results.ts';
import {
  ANYTHING,
  ARRAY,
  BIGINT,
  BOOLEAN,
  DATE,
  FUNCTION,
  type Inferred,
  NULL,
  NULLISH,
  NUMBER,
  OBJECT,
  REGEXP,
  STRING,
  UNDEFINED,
  UNKNOWN,
  isAlways,
  isOnly,
  listTypes,
  mayBe,
  nameTypes,
  ofConstant,
  ofField,
  ofPart,
  perhaps,
  union,
  without,
} from './types.ts';

/** A node and what is known where it stands. */
interface Spot extends Reporting {
  readonly depth: number;
  readonly catalogue: Catalogue;
  readonly bindings: ReadonlyMap<string, Inferred>;
  /** Fields that cannot be null. */
  readonly present: readonly string[];
  /** What is asked of fields beside it, if all of it has to hold. */
  readonly asked?: Condition[] | undefined;
  /** What it is called with first, if it is a lambda. */
  readonly given?: Inferred | undefined;
  /** Whether it is the callee of a call. */
  readonly called?: boolean | undefined;
  /** Whether a lambda may stand here. */
  readonly takesLambda?: boolean | undefined;
}

/** What lies deeper is not looked into; the limits of reading refuse it before. */
const MAX_DEPTH = 300;

export const ROW: Inferred = { types: OBJECT };

const isRow =
  ({ bindings }: Spot) =>
  (name: string) =>
    bindings.get(name) === ROW;

export const infer = (spot: Spot): Inferred => {
  const value = inferLink(spot);
  return value.ended ? perhaps(value) : value;
};

/** A node as a link of a chain, which may have ended before. */
const inferLink = (spot: Spot): Inferred => {
  const { node, path, depth } = spot;
  if (depth > MAX_DEPTH) return ANYTHING;
  const parts: Inferred[] = [];
  for (const { part, keys } of partsOf(node)) {
    const called = keys[0] === 'callee';
    const below: Spot = {
      ...spot,
      ...knownBelow(spot, parts),
      asked: node.kind === 'Logical' && node.op === '&&' ? spot.asked : undefined,
      called,
      takesLambda: called || (node.kind === 'Call' && keys[1] === 0 && takesLambda(node)),
      node: part,
      path: pathTo(path, keys),
      depth: depth + 1,
    };
    parts.push(called || keys[0] === 'object' ? inferLink(below) : infer(below));
  }
  const [first = ANYTHING, second = ANYTHING, third = ANYTHING] = parts;
  switch (node.kind) {
    case 'Param':
      return parameter(spot, node.name);
    case 'Capture':
      return node.global && VALUE_GLOBALS.has(node.name) ? ofConstant(VALUE_GLOBALS.get(node.name)) : ANYTHING;
    case 'Constant':
      return ofConstant(node.value);
    case 'Member':
    case 'Index':
      return access(spot, node, first, second);
    case 'Call':
      return call(spot, node, first, second);
    case 'Binary':
      return binary(spot, node, first, second);
    case 'Logical':
      return logical(node, first, second);
    case 'Unary':
      return unary(spot, node, first);
    case 'Ternary':
      return union([second, third]);
    case 'Template':
      return { types: STRING };
    case 'ObjectLit':
      return { types: OBJECT };
    case 'ArrayLit': {
      const elements = parts.map((part, at) => ('spread' in node.elements[at]! ? (part.element ?? ANYTHING) : part));
      return { types: ARRAY, element: union(elements) };
    }
    case 'Lambda':
      if (!spot.takesLambda && path !== '/root')
        report(
          spot,
          'lambda.noValue',
          'A function is no value: it can only be called, or given to a method such as some',
        );
      return spot.called ? first : { types: FUNCTION, element: first };
    case 'In':
      checkList(spot, second);
      reportUnlisted(spot, first, second.element);
      return { types: BOOLEAN };
  }
};

/** What more is known where the part is evaluated that follows some others. */
const knownBelow = (spot: Spot, [first, second]: readonly Inferred[]): Partial<Spot> => {
  const { node, bindings, given = ANYTHING } = spot;
  const after = (test: Node, truthy: boolean): Partial<Spot> => ({
    present: [...spot.present, ...fieldsPresent(test, truthy, isRow(spot))],
  });
  if (node.kind === 'Call')
    return { given: memberName(node.callee)?.startsWith('reduce') ? undefined : first?.element };
  if (node.kind === 'Lambda')
    return {
      bindings: new Map([...bindings, ...node.params.map((name, at) => [name, at > 0 ? ANYTHING : given] as const)]),
    };
  if (node.kind === 'Ternary' && first) return after(node.test, !second);
  return node.kind === 'Logical' && node.op !== '??' && first ? after(node.left, node.op === '&&') : {};
};

const parameter = (spot: Spot, name: string): Inferred => {
  const bound = spot.bindings.get(name);
  if (!bound) reportUnknown(spot, 'param.unknown', 'There is no parameter', name, spot.bindings.keys());
  return bound ?? ANYTHING;
};

/** A member or an index of what is not null, unless the chain is optional; of a method only what it is called on. */
const access = (spot: Spot, node: Member | Index, object: Inferred, index: Inferred): Inferred => {
  const name = rowMember(node, isRow(spot));
  if (name !== undefined) return rowField(spot, name);
  const constant = GLOBAL_CONSTANTS.get(globalName(node));
  if (constant !== undefined && !spot.called) return ofConstant(constant);
  const nullish = (object.types & NULLISH) !== 0;
  if (nullish && !node.optional) reportNull(spot, object, 'write ?. or test it before');
  const base = without(object, NULLISH);
  const key = base.fields ? memberName(node) : node.kind === 'Member' ? node.prop : undefined;
  const value = key === undefined ? element(base, index) : property(spot, base, key);
  return { ...value, ended: object.ended || (nullish && node.optional) };
};

const reportNull = (spot: Spot, { field }: Inferred, advice: string): void =>
  report(spot, 'null.access', `${field === undefined ? 'This' : quote(field)} may be null; ${advice}`, { field });

const rowField = (spot: Spot, name: string): Inferred => {
  const field = lookUp(spot.catalogue.fields, name);
  if (!field) reportUnknownField(spot, name, spot.catalogue.fields);
  const value = ofField(name, field);
  return spot.present.includes(name) ? without(value, NULL) : value;
};

const property = (spot: Spot, base: Inferred, name: string): Inferred => {
  const { called } = spot;
  if (base.fields && !called) {
    const field = lookUp(base.fields, name);
    if (!field) reportUnknownField(spot, name, base.fields);
    return field ? ofPart(field) : ANYTHING;
  }
  const names = called
    ? listTypes(base).flatMap((type) => [...(METHODS[type]?.keys() ?? [])])
    : isOnly(base, STRING | ARRAY)
      ? ['length']
      : [];
  const isKnown = names.includes(name);
  if (!isKnown && isOnly(base, STRING | NUMBER | BOOLEAN | DATE | ARRAY | BIGINT | REGEXP)) {
    const [code, what] = called ? ['call.unknownMethod', 'method'] : ['member.unknown', 'member'];
    reportUnknown(spot, code, `${nameTypes(base)} has no ${what}`, name, names);
  }
  return called ? base : { types: isKnown ? NUMBER : UNKNOWN };
};

const element = (base: Inferred, index: Inferred): Inferred => {
  if (isOnly(base, ARRAY) && isOnly(index, NUMBER)) return perhaps(base.element ?? ANYTHING);
  return isOnly(base, STRING) ? { types: STRING | UNDEFINED } : ANYTHING;
};

const call = (spot: Spot, node: Call, base: Inferred, argument: Inferred): Inferred => {
  const { callee } = node;
  if (callee.kind === 'Lambda') return base;
  const global = globalName(callee);
  const name = memberName(callee);
  if (global !== undefined) {
    if (!GLOBAL_FUNCTIONS.has(global)) reportUnknownFunction(spot, global);
    return GLOBAL_RESULTS.get(global) ?? ANYTHING;
  }
  if (name === undefined) {
    if (callee.kind !== 'Capture') report(spot, 'call.noFunction', 'Only methods, functions and lambdas can be called');
    return ANYTHING;
  }
  const { element, ended } = base;
  if (name === 'includes') reportUnlisted(spot, argument, element);
  if (isOnly(base, ARRAY) && takesLambda(node) && !mayBe(argument, FUNCTION) && name !== 'toSorted')
    report(spot, 'lambda.missing', `${name} takes a function, such as x => x`);
  return { ...resultOf(base, name, argument.element ?? ANYTHING), ended };
};

const takesLambda = ({ callee }: Call): boolean =>
  globalName(callee) === undefined && LAMBDA_METHODS.has(memberName(callee));

const reportUnknownFunction = (spot: Spot, global: string): void => {
  const [owner, name] = global.split('.');
  const names = [...GLOBAL_FUNCTIONS.keys()].map((one) => one.split('.'));
  if (name === undefined) report(spot, 'call.noFunction', `${quote(owner!)} cannot be called`);
  else {
    const siblings = names.flatMap(([of, other]) => (of === owner ? (other ?? []) : []));
    reportUnknown(spot, 'call.unknownFunction', `${owner} has no function`, name, siblings);
  }
};

const binary = (spot: Spot, node: Binary, left: Inferred, right: Inferred): Inferred => {
  const { op } = node;
  if (op === '+') {
    if (isOnly(left, STRING) || isOnly(right, STRING)) return { types: STRING };
    return { types: isNumeric(left) && isNumeric(right) ? NUMBER : UNKNOWN };
  }
  if ('-*/%**'.includes(op)) return arithmetic(spot, op, [left, right], STRING | ARRAY | OBJECT | REGEXP);
  if (op === 'in') checkList(spot, right);
  else if (op !== 'instanceof') checkComparison(spot, op, left, right);
  if (spot.asked) checkContradiction(spot, node, left, right, spot.asked);
  return { types: BOOLEAN };
};

const arithmetic = (spot: Spot, op: string, operands: readonly Inferred[], wrong: number): Inferred => {
  for (const operand of operands)
    if (isOnly(operand, wrong) && !isAlways(operand, (value) => !Number.isNaN(Number(value))))
      report(spot, 'operand.type', `${op} takes numbers, not ${nameTypes(operand)}`);
  return { types: operands.some((operand) => mayBe(operand, BIGINT)) ? NUMBER | BIGINT : NUMBER };
};

const isNumeric = (one: Inferred): boolean => isOnly(one, NUMBER | BOOLEAN | NULLISH);

const logical = ({ op }: Logical, left: Inferred, right: Inferred): Inferred => {
  if (op === '??' && !mayBe(left, NULLISH)) return left;
  return union([without(left, op === '&&' ? DATE | ARRAY | OBJECT | REGEXP | FUNCTION : NULLISH), right]);
};

const unary = (spot: Spot, { op }: Unary, operand: Inferred): Inferred => {
  if (op === '!') return { types: BOOLEAN };
  if (op === 'typeof') return { types: STRING };
  return arithmetic(spot, op, [operand], ARRAY | OBJECT | REGEXP);
};

const checkList = (spot: Spot, list: Inferred): void => {
  if (isOnly(list, STRING | NUMBER | BOOLEAN | NULLISH | DATE | BIGINT))
    report(spot, 'in.notList', `in takes lists and objects, not ${nameTypes(list)}`);
  else if (list.types & NULL) reportNull(spot, list, 'test it before');
};
