import { ownConstant } from './constant-copy.ts';
import type { EvalCode } from './eval-codes.ts';
import { findGlobalFunction, findGlobalValue } from './global-functions.ts';
import { LAMBDA_METHODS } from './methods-array.ts';
import type { ArrayLit, Binary, Call, Capture, Index, Lambda, Member, Node, ObjectLit, Unary } from './node.ts';
import type { Argument, Chain, Failing, LambdaOp, Link, Operation, Plan } from './operation.ts';
import { BINARY, BRANDS, type Brand, UNARY } from './operators.ts';
import type { Run, Site } from './run.ts';
import { checkBounds, partsOf } from './tree-bounds.ts';

/** Resolves names, calls and chains of a tree. Throws where it goes beyond the limits. */
export const planTree = (tree: Node, run: Run): Plan => {
  checkBounds(tree, run.limits);
  const builder: Builder = { run, inputs: [], open: tree.kind !== 'Lambda', slotCount: 0, steps: 0 };
  if (tree.kind === 'Lambda') {
    const scope = bindParams(builder, tree.params, undefined, true);
    builder.inputs.push(...tree.params);
    const body = planNode(builder, tree.body, '/root/body', scope);
    return finish(builder, body, { path: '/root', span: tree.span });
  }
  // The inputs are the free parameters; their slots come first, so they are found first.
  builder.inputs.push(...freeParams(tree));
  builder.slotCount = builder.inputs.length;
  const body = planNode(builder, tree, '/root', undefined);
  return finish(builder, body, { path: '/root', span: tree.span });
};

const finish = (builder: Builder, body: Operation, at: Site): Plan => ({
  ...at,
  body,
  inputs: builder.inputs,
  slotCount: builder.slotCount,
  steps: builder.steps,
});

interface Builder {
  readonly run: Run;
  readonly inputs: string[];
  /** Free parameters are inputs: the root is no lambda. */
  readonly open: boolean;
  slotCount: number;
  /** Of the lambda, or the root, that is being planned. */
  steps: number;
}

interface Scope {
  readonly names: ReadonlyMap<string, number>;
  readonly input: boolean;
  readonly outer: Scope | undefined;
}

const freeParams = (tree: Node): Set<string> => {
  const names = new Set<string>();
  const visit = (node: Node): void => {
    if (node.kind === 'Param') {
      if (typeof node.name === 'string') names.add(node.name);
    } else for (const [, part] of partsOf(node)) visit(part);
  };
  visit(tree);
  return names;
};

const bindParams = (builder: Builder, params: readonly string[], outer: Scope | undefined, input: boolean): Scope => ({
  names: new Map(params.map((name) => [name, builder.slotCount++])),
  input,
  outer,
});

const failing = (at: Site, code: EvalCode, message: string): Failing => ({ ...at, op: 'fail', code, message });

const planNode = (builder: Builder, node: Node, path: string, scope: Scope | undefined): Operation => {
  const operation = planLink(builder, node, path, scope);
  return operation.short
    ? ({ op: 'chain', body: operation as Link, path, span: node.span } satisfies Chain)
    : operation;
};

/** A node as a part of a chain: it may say that the chain ends early. */
const planLink = (builder: Builder, node: Node, path: string, scope: Scope | undefined): Operation => {
  builder.steps++;
  const at = { path, span: node.span };
  const plan = (part: Node, pointer: string): Operation => planNode(builder, part, path + pointer, scope);
  switch (node.kind) {
    case 'Param':
      return planParam(builder, node.name, at, scope);
    case 'Capture':
      return planCapture(node, at);
    case 'Constant':
      if (typeof node.value === 'function' || typeof node.value === 'symbol')
        return failing(at, 'eval.notValue', 'No value in a constant');
      return { ...at, op: 'constant', ...ownConstant(builder.run, node.value, at) };
    case 'Member':
    case 'Index':
      return planAccess(builder, node, at, scope);
    case 'Call':
      return planCall(builder, node, at, scope);
    case 'Binary':
      return planBinary(node, at, plan);
    case 'Logical':
      if (node.op !== '&&' && node.op !== '||' && node.op !== '??') break;
      return {
        ...at,
        op: 'logical',
        operator: node.op,
        left: plan(node.left, '/left'),
        right: plan(node.right, '/right'),
      };
    case 'Unary':
      return planUnary(node, at, plan);
    case 'Ternary':
      return {
        ...at,
        op: 'ternary',
        test: plan(node.test, '/test'),
        yes: plan(node.then, '/then'),
        no: plan(node.else, '/else'),
      };
    case 'Template':
      if (node.quasis.length !== node.exprs.length + 1)
        return failing(at, 'template.arity', 'A template needs one quasi more than expressions');
      return {
        ...at,
        op: 'template',
        quasis: node.quasis.map((quasi) => (typeof quasi === 'string' ? quasi : '')),
        exprs: node.exprs.map((expr, index) => plan(expr, `/exprs/${index}`)),
      };
    case 'ObjectLit':
      return planObject(node, at, plan);
    case 'ArrayLit':
      return planArray(node, at, plan);
    case 'Lambda':
      return failing(at, 'eval.lambda', 'A lambda is no value');
    case 'In':
      return { ...at, op: 'in', haystack: plan(node.haystack, '/haystack'), needle: plan(node.needle, '/needle') };
  }
  return failing(at, 'eval.node', 'No node of version 1');
};

type PlanPart = (part: Node, pointer: string) => Operation;

const planParam = (builder: Builder, name: string, at: Site, scope: Scope | undefined): Operation => {
  for (let binder = scope; binder; binder = binder.outer) {
    const slot = binder.names.get(name);
    if (slot !== undefined) return { ...at, op: 'slot', slot, name, input: binder.input };
  }
  if (builder.open) return { ...at, op: 'slot', slot: builder.inputs.indexOf(name), name, input: true };
  return failing(at, 'eval.unboundParam', `Nothing binds ${name}`);
};

const planCapture = (node: Capture, at: Site): Operation => {
  if (typeof node.name !== 'string') return failing(at, 'eval.node', 'A name that is no text');
  if (node.global !== true) return { ...at, op: 'capture', name: node.name };
  const found = findGlobalValue(node.name);
  if (found) return { ...at, op: 'constant', value: found.value, mutable: false };
  return failing(at, 'eval.global', `${node.name} may only be called, or stand right of instanceof`);
};

const planAccess = (builder: Builder, node: Member | Index, at: Site, scope: Scope | undefined): Operation => {
  const object = planLink(builder, node.object, `${at.path}/object`, scope);
  const optional = node.optional === true;
  const short = optional || object.short === true;
  if (node.kind === 'Index')
    return {
      ...at,
      op: 'index',
      object,
      index: planNode(builder, node.index, `${at.path}/index`, scope),
      optional,
      short,
    };
  if (typeof node.prop !== 'string') return failing(at, 'eval.node', 'A name that is no text');
  if (node.prop === '__proto__') return failing(at, 'key.forbidden', 'The key __proto__ is not allowed');
  return { ...at, op: 'member', object, name: node.prop, optional, short };
};

const planCall = (builder: Builder, node: Call, at: Site, scope: Scope | undefined): Operation => {
  const callee = node.callee;
  const optionalCall = node.optional === true;
  const calleeAt = { path: `${at.path}/callee`, span: callee.span };
  const planArgs = (): Operation[] =>
    node.args.map((arg, index) => planNode(builder, arg, `${at.path}/args/${index}`, scope));
  if (callee.kind === 'Lambda') {
    const lambda = planLambda(builder, callee, calleeAt.path, scope);
    return { ...at, op: 'apply', lambda, args: planArgs() };
  }
  if (callee.kind === 'Capture' && typeof callee.name === 'string') {
    builder.steps++;
    if (callee.global !== true)
      return {
        ...at,
        op: 'host',
        name: callee.name,
        args: planArgs(),
        callee: calleeAt,
        optionalCall,
        short: optionalCall,
      };
    return planStatic(callee.name, at, planArgs);
  }
  const name = methodName(callee);
  if (name === undefined)
    return failing(at, 'call.denied', 'Only methods, lambdas and functions of the host are called');
  const { object, optional } = callee as Member | Index;
  if (object.kind === 'Capture' && object.global === true && !findGlobalValue(object.name))
    return planStatic(`${object.name}.${name}`, at, planArgs);
  const receiver = planLink(builder, object, `${calleeAt.path}/object`, scope);
  const args = node.args.map((arg, index): Argument => {
    const path = `${at.path}/args/${index}`;
    if (arg.kind === 'Lambda' && index === 0 && LAMBDA_METHODS.has(name)) return planLambda(builder, arg, path, scope);
    return planNode(builder, arg, path, scope);
  });
  const short = optional === true || optionalCall || receiver.short === true;
  return {
    ...at,
    op: 'method',
    object: receiver,
    name,
    args,
    callee: calleeAt,
    optional: optional === true,
    optionalCall,
    short,
  };
};

const methodName = (callee: Node): string | undefined => {
  if (callee.kind === 'Member') return typeof callee.prop === 'string' ? callee.prop : undefined;
  if (callee.kind !== 'Index' || callee.index.kind !== 'Constant') return undefined;
  return typeof callee.index.value === 'string' ? callee.index.value : undefined;
};

const planStatic = (name: string, at: Site, planArgs: () => Operation[]): Operation => {
  const call = findGlobalFunction(name);
  return call
    ? { ...at, op: 'static', call, args: planArgs() }
    : failing(at, 'call.denied', `${name} may not be called`);
};

const planLambda = (builder: Builder, node: Lambda, path: string, scope: Scope | undefined): LambdaOp => {
  const inner = bindParams(builder, node.params, scope, false);
  const outerSteps = builder.steps;
  builder.steps = 0;
  const body = planNode(builder, node.body, `${path}/body`, inner);
  const steps = builder.steps;
  builder.steps = outerSteps + 1;
  return { path, span: node.span, op: 'lambda', slots: node.params.map((name) => inner.names.get(name)!), body, steps };
};

const planBinary = (node: Binary, at: Site, plan: PlanPart): Operation => {
  if (node.op === 'instanceof') {
    const { right } = node;
    const brand = right.kind === 'Capture' && right.global === true ? right.name : '';
    if (!(BRANDS as readonly string[]).includes(brand))
      return failing(at, 'eval.type', 'instanceof takes Date, Array, Object or RegExp');
    return { ...at, op: 'instanceof', left: plan(node.left, '/left'), brand: brand as Brand };
  }
  if (!Object.hasOwn(BINARY, node.op)) return failing(at, 'eval.node', 'No operator of version 1');
  return { ...at, op: 'binary', operator: node.op, left: plan(node.left, '/left'), right: plan(node.right, '/right') };
};

const planUnary = (node: Unary, at: Site, plan: PlanPart): Operation => {
  if (!Object.hasOwn(UNARY, node.op)) return failing(at, 'eval.node', 'No operator of version 1');
  const operand = plan(node.operand, '/operand');
  if (node.op === 'typeof' && operand.op === 'capture') return { ...at, op: 'typeofCapture', capture: operand };
  return { ...at, op: 'unary', operator: node.op, operand };
};

const planObject = (node: ObjectLit, at: Site, plan: PlanPart): Operation => {
  if (node.props.some((prop) => !('spread' in prop) && typeof prop.key !== 'string'))
    return failing(at, 'eval.node', 'A key that is no text');
  if (node.props.some((prop) => !('spread' in prop) && prop.key === '__proto__'))
    return failing(at, 'key.forbidden', 'The key __proto__ is not allowed');
  return {
    ...at,
    op: 'object',
    props: node.props.map((prop, index) =>
      'spread' in prop
        ? { spread: plan(prop.spread, `/props/${index}/spread`) }
        : { key: prop.key, value: plan(prop.value, `/props/${index}/value`) },
    ),
  };
};

const planArray = (node: ArrayLit, at: Site, plan: PlanPart): Operation => ({
  ...at,
  op: 'array',
  elements: node.elements.map((element, index) =>
    'spread' in element
      ? { value: plan(element.spread, `/elements/${index}/spread`), spread: true }
      : { value: plan(element, `/elements/${index}`), spread: false },
  ),
});
