import { globalName, memberName } from '../../tree/called.ts';
import { fieldsOf, OPERATORS, type Role, roleOf } from '../../tree/fields.ts';
import { GLOBAL_CONSTANTS, VALUE_GLOBALS } from '../../tree/globals.ts';
import type { Binary, Call, Constant, Kind, Lambda, Node } from '../../tree/node.ts';
import { type Part, mapParts, pathTo } from '../../tree/parts.ts';
import type { EvalCode } from '../codes.ts';
import { LAMBDA_METHODS } from '../library/array.ts';
import { GLOBAL_FUNCTIONS, NUMBER_FUNCTIONS } from '../library/globals.ts';
import { UNARY } from '../operators.ts';
import { FREE_ITEMS, type Run, SLOW_TEXT, type Site, limit } from '../run.ts';
import { ownConstant } from './constant.ts';
import type {
  ConstantOp,
  FailOp,
  InOp,
  IndexOp,
  LambdaOp,
  MemberOp,
  MethodCall,
  Operation,
  Plan,
  UnaryOp,
} from './operation.ts';
import { LAMBDA_STEPS, stepsOf } from './steps.ts';

/** Resolves names, calls and chains of a tree. Throws where it goes beyond the limits. With `whole` every node has its operation. */
export const planTree = (tree: Node, run: Run, whole = false): Plan => {
  const root: Site = { path: '/root', span: tree?.span, run };
  const isLambda = tree?.kind === 'Lambda';
  const plan: Building = {
    root,
    whole,
    inputs: new Map(),
    takesAny: !isLambda,
    slotCount: 0,
    nodeCount: Number(isLambda),
  };
  const scope: Scope = { plan, names: new Map(), lambdas: Number(isLambda), steps: 0 };
  if (isLambda) for (const name of tree.params) plan.inputs.set(name, plan.slotCount++);
  const body = isLambda ? planNode(tree.body, '/root/body', scope, 2) : planNode(tree, '/root', scope, 1);
  return { ...root, ...plan, body, steps: scope.steps };
};

interface Building {
  readonly root: Site;
  readonly whole: boolean;
  readonly inputs: Map<string, number>;
  /** The root is no lambda: what nothing binds is an input. */
  readonly takesAny: boolean;
  slotCount: number;
  nodeCount: number;
}

interface Scope {
  readonly plan: Building;
  /** The slots of the parameters of all lambdas around. */
  readonly names: ReadonlyMap<string, number>;
  readonly lambdas: number;
  /** Of the lambda, or the root, that is being planned. */
  steps: number;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const areTexts = (values: unknown[]): boolean => values.every(isText);

/** What a tree that was never read may have wrong. */
const SOUND: Partial<Record<Role, (value: never, node: Node) => boolean>> = {
  node: Boolean,
  name: isText,
  'param[]': areTexts,
  'text[]': areTexts,
  operator: (operator: string, { kind }) => OPERATORS[kind as keyof typeof OPERATORS].includes(operator),
  'property[]': (props: object[]) => props.every((prop) => 'spread' in prop || isText((prop as { key?: unknown }).key)),
};

const isSound = (node: Node): boolean | undefined =>
  fieldsOf(node?.kind)?.every((name) => SOUND[roleOf(name)]?.(node[name as keyof Node] as never, node) ?? true);

/** An operation that has the kind of its node. */
type Resolvable = Exclude<Extract<Operation, { readonly kind: Kind }>, LambdaOp> | CallOp;

const planNode = (node: Node, path: string, scope: Scope, depth: number): Operation => {
  const { plan } = scope;
  const at: Site = { ...plan.root, path, span: node?.span };
  const failing = (code: EvalCode, message: string): FailOp => ({ ...at, kind: 'Fail', code, message });
  const constant = (value: number | undefined): ConstantOp => ({ ...at, kind: 'Constant', value, mutable: false });
  limit('depth', depth, plan.root);
  limit('nodes', ++plan.nodeCount, plan.root);
  if (!isSound(node)) return failing('eval.node', 'No node of version 1');
  scope.steps += stepsOf(node);
  if (node.kind === 'Lambda') return failing('eval.lambda', 'A lambda is no value');
  const planPart = (part: Node, keys: Part['keys']): Operation =>
    part?.kind === 'Lambda' && node.kind === 'Call' && isHanded(node, keys)
      ? planLambda(part, pathTo(path, keys), scope, depth + 1)
      : planNode(part, pathTo(path, keys), scope, depth + 1);
  const operation = mapParts(node, planPart, { ...at, kind: node.kind }) as Resolvable;
  switch (operation.kind) {
    case 'Param': {
      const { name } = operation;
      let slot = scope.names.get(name) ?? plan.inputs.get(name);
      if (slot === undefined && plan.takesAny) plan.inputs.set(name, (slot = plan.slotCount++));
      if (slot === undefined) return failing('eval.unboundParam', `Nothing binds ${name}`);
      return { ...operation, slot, input: plan.inputs.get(name) === slot };
    }
    case 'Capture': {
      const { name, global } = operation;
      if (!global) return operation;
      if (VALUE_GLOBALS.has(name)) return constant(VALUE_GLOBALS.get(name));
      return failing('eval.global', `${name} may only be called, or stand right of instanceof`);
    }
    case 'Constant':
      return { ...operation, ...ownConstant((node as Constant).value, at) };
    case 'Member':
    case 'Index': {
      const value = GLOBAL_CONSTANTS.get(globalName(node));
      if (value !== undefined) return constant(value);
      return { ...operation, short: operation.optional || operation.object.short };
    }
    case 'Call':
      return planCall(node as Call, operation, scope, failing);
    case 'Binary': {
      const { op, right } = node as Binary;
      if (op !== 'instanceof') return operation;
      const test = `${op} ${right.kind === 'Capture' && right.global ? right.name : ''}`;
      return {
        ...at,
        kind: 'Unary',
        op: (Object.hasOwn(UNARY, test) ? test : op) as UnaryOp['op'],
        operand: operation.left,
      };
    }
    case 'Unary':
      if (operation.op !== 'typeof' || operation.operand.kind !== 'Capture') return operation;
      return { ...operation, operand: { ...operation.operand, mayMiss: true } };
    case 'Template':
      if (operation.quasis.length === operation.exprs.length + 1) return operation;
      return failing('template.arity', 'One quasi more than expressions is wanted');
    case 'ObjectLit':
      if (!operation.props.some((prop) => 'key' in prop && prop.key === '__proto__')) return operation;
      return failing('key.forbidden', '__proto__ is not allowed');
    case 'In':
      return planOneOf(operation, operation.haystack, operation.needle, scope);
    case 'Logical':
    case 'Ternary':
    case 'ArrayLit':
      return operation;
  }
};

type Failing = (code: EvalCode, message: string) => FailOp;

interface CallOp extends Site {
  readonly kind: 'Call';
  readonly callee: Operation;
  readonly args: readonly Operation[];
  readonly optional?: true | undefined;
}

const planCall = ({ callee }: Call, call: CallOp, scope: Scope, failing: Failing): Operation => {
  const { optional } = call;
  if (call.callee.kind === 'Lambda') return { ...call, kind: 'Apply', callee: call.callee };
  if (call.callee.kind === 'Capture') {
    call.run.callsHost = true;
    return { ...call, kind: 'Host', callee: call.callee, short: optional };
  }
  const global = globalName(callee);
  const name = memberName(callee);
  if (global !== undefined) {
    const native = GLOBAL_FUNCTIONS.get(global);
    return native
      ? { ...call, kind: 'Static', native, ofNumbers: NUMBER_FUNCTIONS.get(global) }
      : failing('call.denied', `${global} may not be called`);
  }
  if (name === undefined)
    return failing('call.denied', 'Only a method, a lambda or a function of the host may be called');
  const link = call.callee as MemberOp | IndexOp;
  const method: MethodCall = {
    ...call,
    kind: 'Method',
    callee: link,
    name,
    short: optional || link.short,
    // No character becomes more than three.
    shortText: Math.min(SLOW_TEXT, Math.floor(call.run.limits.outputStringLength / 3)),
  };
  const [needle, place] = call.args;
  return name === 'includes' && needle && !place ? planOneOf(method, link.object, needle, scope) : method;
};

/** Comparing with a longer text would cost steps. */
const LONGEST_CONSTANT = 256;

const isComparable = (value: unknown): boolean =>
  typeof value === 'string' ? value.length < LONGEST_CONSTANT : typeof value !== 'object' || value === null;

/** The constants that a list consists of, if it does. */
const constantsOf = (list: Operation): readonly unknown[] | undefined => {
  if (list.kind === 'Constant') return Array.isArray(list.value) ? (list.value as unknown[]) : undefined;
  if (list.kind !== 'ArrayLit') return undefined;
  const constants = list.elements.filter((element) => 'kind' in element && element.kind === 'Constant');
  return constants.length === list.elements.length ? constants.map(({ value }) => value) : undefined;
};

const planOneOf = (operation: InOp | MethodCall, list: Operation, needle: Operation, { plan }: Scope): Operation => {
  const constants = constantsOf(list);
  if (plan.whole || !constants?.every(isComparable) || constants.length > FREE_ITEMS) return operation;
  const { path, span, run } = operation;
  return { path, span, run, kind: 'OneOf', needle, values: new Set(constants) };
};

/** A lambda that is called, or that a method takes. */
const isHanded = ({ callee }: Call, [field, index]: Part['keys']): boolean =>
  field === 'callee' || (index === 0 && LAMBDA_METHODS.has(memberName(callee)));

const planLambda = ({ params, body, span }: Lambda, path: string, outer: Scope, depth: number): LambdaOp => {
  const { plan } = outer;
  const at: Site = { ...plan.root, path, span };
  const lambdas = outer.lambdas + 1;
  limit('lambdaNesting', lambdas, at);
  plan.nodeCount++;
  const slots = params.map(() => plan.slotCount++);
  const names = new Map([...outer.names, ...params.map((name, index) => [name, slots[index]!] as const)]);
  const scope: Scope = { plan, names, lambdas, steps: LAMBDA_STEPS };
  const planned = planNode(body, `${path}/body`, scope, depth + 1);
  outer.steps++;
  return { ...at, kind: 'Lambda', slots, body: planned, steps: scope.steps };
};
