import { checkBounds } from '../../tree/bounds.ts';
import {
  type Binary,
  type Call,
  type Capture,
  type Index,
  LOGICAL_OPERATORS,
  type Lambda,
  type Member,
  type Node,
  type ObjectLit,
} from '../../tree/node.ts';
import { partsOf, pathTo } from '../../tree/parts.ts';
import type { EvalCode } from '../codes.ts';
import { LAMBDA_METHODS } from '../library/array.ts';
import { findGlobalFunction, findGlobalValue } from '../library/globals.ts';
import { BINARY, BRANDS, type Brand, UNARY } from '../operators.ts';
import type { Run, Site } from '../run.ts';
import { ownConstant } from './constant.ts';
import type { Argument, Chain, Failing, LambdaOp, Link, Operation, Plan } from './operation.ts';

/** Resolves names, calls and chains of a tree. Throws where it goes beyond the limits. */
export const planTree = (tree: Node, run: Run): Plan => {
  checkBounds(tree, run.limits);
  const [inputs, body, path] =
    tree.kind === 'Lambda' ? [tree.params, tree.body, '/root/body'] : [[...freeParams(tree)], tree, '/root'];
  const builder: Builder = { run, slotCount: 0, steps: 0 };
  // The slots of the inputs come first.
  const scope = bindParams(builder, inputs, undefined);
  const planned = planNode(builder, body, path, scope);
  const { slotCount, steps } = builder;
  return { path: '/root', span: tree.span, body: planned, inputs, slotCount, steps };
};

interface Builder {
  readonly run: Run;
  slotCount: number;
  /** Of the lambda, or the root, that is being planned. */
  steps: number;
}

interface Scope {
  readonly names: ReadonlyMap<string, number>;
  readonly outer: Scope | undefined;
}

const freeParams = (tree: Node): Set<string> => {
  const names = new Set<string>();
  const visit = (node: Node): void => {
    if (node.kind === 'Param') {
      if (typeof node.name === 'string') names.add(node.name);
    } else for (const { part } of partsOf(node)) visit(part);
  };
  visit(tree);
  return names;
};

const bindParams = (builder: Builder, params: readonly string[], outer: Scope | undefined): Scope => ({
  names: new Map(params.map((name) => [name, builder.slotCount++])),
  outer,
});

const failing = (at: Site, code: EvalCode, message: string): Failing => ({ ...at, op: 'fail', code, message });

const noNode = (at: Site): Failing => failing(at, 'eval.node', 'No node of version 1');

const forbiddenKey = (at: Site): Failing => failing(at, 'key.forbidden', 'The key __proto__ is not allowed');

const planNode = (builder: Builder, node: Node, path: string, scope: Scope): Operation => {
  const operation = planLink(builder, node, path, scope);
  return operation.short
    ? ({ op: 'chain', body: operation as Link, path, span: node.span } satisfies Chain)
    : operation;
};

type PlanPart = (part: Node, ...keys: (string | number)[]) => Operation;

/** A node as a part of a chain: it may say that the chain ends early. */
const planLink = (builder: Builder, node: Node, path: string, scope: Scope): Operation => {
  builder.steps++;
  const at = { path, span: node.span };
  const plan: PlanPart = (part, ...keys) => planNode(builder, part, pathTo(path, keys), scope);
  switch (node.kind) {
    case 'Param':
      return planParam(node.name, at, scope);
    case 'Capture':
      return planCapture(node, at);
    case 'Constant':
      if (typeof node.value === 'function' || typeof node.value === 'symbol')
        return failing(at, 'eval.notValue', 'No value in a constant');
      return planConstant(builder, node.value, at);
    case 'Member':
    case 'Index':
      return planAccess(builder, node, at, scope, plan);
    case 'Call':
      return planCall(builder, node, at, scope, plan);
    case 'Binary':
      return planBinary(node, at, plan);
    case 'Logical':
      if (!LOGICAL_OPERATORS.includes(node.op)) break;
      return {
        ...at,
        op: 'logical',
        operator: node.op,
        left: plan(node.left, 'left'),
        right: plan(node.right, 'right'),
      };
    case 'Unary': {
      if (!Object.hasOwn(UNARY, node.op)) break;
      const operand = plan(node.operand, 'operand');
      if (node.op === 'typeof' && operand.op === 'capture') return { ...at, op: 'typeofCapture', capture: operand };
      return { ...at, op: 'unary', operator: node.op, operand };
    }
    case 'Ternary': {
      const [test, yes, no] = [plan(node.test, 'test'), plan(node.then, 'then'), plan(node.else, 'else')];
      return { ...at, op: 'ternary', test, yes, no };
    }
    case 'Template':
      if (node.quasis.length !== node.exprs.length + 1)
        return failing(at, 'template.arity', 'A template needs one quasi more than expressions');
      return {
        ...at,
        op: 'template',
        quasis: node.quasis.map((quasi) => (typeof quasi === 'string' ? quasi : '')),
        exprs: node.exprs.map((expr, index) => plan(expr, 'exprs', index)),
      };
    case 'ObjectLit':
      return planObject(node, at, plan);
    case 'ArrayLit': {
      const elements = node.elements.map((element, index) =>
        'spread' in element
          ? { value: plan(element.spread, 'elements', index, 'spread'), spread: true }
          : { value: plan(element, 'elements', index), spread: false },
      );
      return { ...at, op: 'array', elements };
    }
    case 'Lambda':
      return failing(at, 'eval.lambda', 'A lambda is no value');
    case 'In':
      return { ...at, op: 'in', haystack: plan(node.haystack, 'haystack'), needle: plan(node.needle, 'needle') };
  }
  return noNode(at);
};

const planConstant = (builder: Builder, given: unknown, at: Site): Operation => {
  const { value, mutable, copySteps } = ownConstant(builder.run, given, at);
  if (mutable) builder.steps += copySteps - 1;
  return { ...at, op: 'constant', value, mutable };
};

const planParam = (name: string, at: Site, scope: Scope): Operation => {
  for (let binder: Scope | undefined = scope; binder; binder = binder.outer) {
    const slot = binder.names.get(name);
    if (slot !== undefined) return { ...at, op: 'slot', slot, name, input: !binder.outer };
  }
  return failing(at, 'eval.unboundParam', `Nothing binds ${name}`);
};

const planCapture = ({ name, global }: Capture, at: Site): Operation => {
  if (typeof name !== 'string') return noNode(at);
  if (global !== true) return { ...at, op: 'capture', name };
  const found = findGlobalValue(name);
  if (found) return { ...at, op: 'constant', value: found.value, mutable: false };
  return failing(at, 'eval.global', `${name} may only be called, or stand right of instanceof`);
};

const planAccess = (builder: Builder, node: Member | Index, at: Site, scope: Scope, plan: PlanPart): Operation => {
  const object = planLink(builder, node.object, `${at.path}/object`, scope);
  const optional = node.optional === true;
  const link = { ...at, object, optional, short: optional || object.short === true };
  if (node.kind === 'Index') return { ...link, op: 'index', index: plan(node.index, 'index') };
  if (typeof node.prop !== 'string') return noNode(at);
  return node.prop === '__proto__' ? forbiddenKey(at) : { ...link, op: 'member', name: node.prop };
};

const planCall = (builder: Builder, node: Call, at: Site, scope: Scope, plan: PlanPart): Operation => {
  const found = node.callee;
  const optionalCall = node.optional === true;
  const callee = { path: `${at.path}/callee`, span: found.span };
  const planArgs = (): Operation[] => node.args.map((arg, index) => plan(arg, 'args', index));
  const planStatic = (name: string): Operation => {
    const call = findGlobalFunction(name);
    return call
      ? { ...at, op: 'static', call, args: planArgs() }
      : failing(at, 'call.denied', `${name} may not be called`);
  };
  if (found.kind === 'Lambda')
    return { ...at, op: 'apply', lambda: planLambda(builder, found, callee.path, scope), args: planArgs() };
  if (found.kind === 'Capture' && typeof found.name === 'string') {
    builder.steps++;
    const { name } = found;
    if (found.global === true) return planStatic(name);
    return { ...at, op: 'host', name, args: planArgs(), callee, optionalCall, short: optionalCall };
  }
  const name = methodName(found);
  if (name === undefined)
    return failing(at, 'call.denied', 'Only methods, lambdas and functions of the host are called');
  const { object: base, optional: optionalLink } = found as Member | Index;
  if (base.kind === 'Capture' && base.global === true && !findGlobalValue(base.name))
    return planStatic(`${base.name}.${name}`);
  const object = planLink(builder, base, `${callee.path}/object`, scope);
  const args = node.args.map((arg, index): Argument =>
    arg.kind === 'Lambda' && index === 0 && LAMBDA_METHODS.has(name)
      ? planLambda(builder, arg, `${at.path}/args/0`, scope)
      : plan(arg, 'args', index),
  );
  const optional = optionalLink === true;
  const short = optional || optionalCall || object.short === true;
  return { ...at, op: 'method', object, name, args, callee, optional, optionalCall, short };
};

const methodName = (callee: Node): string | undefined => {
  const name: unknown =
    callee.kind === 'Member'
      ? callee.prop
      : callee.kind === 'Index' && callee.index.kind === 'Constant'
        ? callee.index.value
        : undefined;
  return typeof name === 'string' ? name : undefined;
};

const planLambda = (builder: Builder, { params, body, span }: Lambda, path: string, scope: Scope): LambdaOp => {
  const inner = bindParams(builder, params, scope);
  const outerSteps = builder.steps;
  builder.steps = 0;
  const planned = planNode(builder, body, `${path}/body`, inner);
  const { steps } = builder;
  builder.steps = outerSteps + 1;
  return { path, span, op: 'lambda', slots: params.map((name) => inner.names.get(name)!), body: planned, steps };
};

const planBinary = ({ op, left, right }: Binary, at: Site, plan: PlanPart): Operation => {
  if (op === 'instanceof') {
    const brand = right.kind === 'Capture' && right.global === true ? right.name : '';
    if (!(BRANDS as readonly string[]).includes(brand))
      return failing(at, 'eval.type', `instanceof takes ${BRANDS.join(', ')}`);
    return { ...at, op, left: plan(left, 'left'), brand: brand as Brand };
  }
  if (!Object.hasOwn(BINARY, op)) return noNode(at);
  return { ...at, op: 'binary', operator: op, left: plan(left, 'left'), right: plan(right, 'right') };
};

const planObject = ({ props }: ObjectLit, at: Site, plan: PlanPart): Operation => {
  const keys: unknown[] = props.flatMap((prop) => ('spread' in prop ? [] : [prop.key]));
  if (keys.some((key) => typeof key !== 'string')) return noNode(at);
  if (keys.includes('__proto__')) return forbiddenKey(at);
  return {
    ...at,
    op: 'object',
    props: props.map((prop, index) =>
      'spread' in prop
        ? { spread: plan(prop.spread, 'props', index, 'spread') }
        : { key: prop.key, value: plan(prop.value, 'props', index, 'value') },
    ),
  };
};
