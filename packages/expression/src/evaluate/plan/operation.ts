import type { BinaryOperator, LogicalOperator } from '../../tree/node.ts';
import type { EvalCode } from '../codes.ts';
import type { Method } from '../library/native.ts';
import type { UNARY } from '../operators.ts';
import type { Site } from '../run.ts';

/**
 * A node with everything resolved that does not depend on data: what closures and code are made of. It
 * has the kind and the fields of its node, except where a kind of its own says more.
 */
export type Operation =
  | ConstantOp
  | FailOp
  | ParamOp
  | CaptureOp
  | Link
  | Static
  | Applied
  | BinaryOp
  | LogicalOp
  | UnaryOp
  | TernaryOp
  | TemplateOp
  | ObjectOp
  | ArrayOp
  | LambdaOp
  | InOp
  | OneOfOp;

/** A link of a chain; `short` says whether it, or a link before it, may end the chain early. */
export type Link = MemberOp | IndexOp | MethodCall | HostCall;

interface Op extends Site {
  readonly short?: boolean | undefined;
}

export interface ConstantOp extends Op {
  readonly kind: 'Constant';
  readonly value: unknown;
  /** It is copied for every use. */
  readonly mutable: boolean;
}
/** What always fails when it is reached. */
export interface FailOp extends Op {
  readonly kind: 'Fail';
  readonly code: EvalCode;
  readonly message: string;
}
export interface ParamOp extends Op {
  readonly kind: 'Param';
  readonly name: string;
  readonly slot: number;
  /** Given from outside, so that it may be missing. */
  readonly input: boolean;
}
export interface CaptureOp extends Op {
  readonly kind: 'Capture';
  readonly name: string;
  readonly global?: true | undefined;
  /** Right under `typeof`. */
  readonly mayMiss?: boolean;
}
export interface MemberOp extends Op {
  readonly kind: 'Member';
  readonly object: Operation;
  readonly prop: string;
  readonly optional?: true | undefined;
}
export interface IndexOp extends Op {
  readonly kind: 'Index';
  readonly object: Operation;
  readonly index: Operation;
  readonly optional?: true | undefined;
}
export interface MethodCall extends Op {
  readonly kind: 'Method';
  readonly callee: MemberOp | IndexOp;
  readonly name: string;
  readonly args: readonly Operation[];
  readonly optional?: true | undefined;
  /** The length up to which a text may be changed in size by a method, and nothing is charged or refused for it. */
  readonly shortText: number;
}
export interface HostCall extends Op {
  readonly kind: 'Host';
  readonly callee: CaptureOp;
  readonly args: readonly Operation[];
  readonly optional?: true | undefined;
}
/** A call of a global function. */
export interface Static extends Op {
  readonly kind: 'Static';
  readonly native: Method;
  /** The same for what are numbers already. */
  readonly ofNumbers?: ((...args: number[]) => unknown) | undefined;
  readonly args: readonly Operation[];
}
/** A call of a lambda. */
export interface Applied extends Op {
  readonly kind: 'Apply';
  readonly callee: LambdaOp;
  readonly args: readonly Operation[];
}
export interface BinaryOp extends Op {
  readonly kind: 'Binary';
  readonly op: Exclude<BinaryOperator, 'instanceof'>;
  readonly left: Operation;
  readonly right: Operation;
}
export interface LogicalOp extends Op {
  readonly kind: 'Logical';
  readonly op: LogicalOperator;
  readonly left: Operation;
  readonly right: Operation;
}
/** `instanceof` too, with its brand. */
export interface UnaryOp extends Op {
  readonly kind: 'Unary';
  readonly op: keyof typeof UNARY;
  readonly operand: Operation;
}
export interface TernaryOp extends Op {
  readonly kind: 'Ternary';
  readonly test: Operation;
  readonly then: Operation;
  readonly else: Operation;
}
export interface TemplateOp extends Op {
  readonly kind: 'Template';
  readonly quasis: readonly string[];
  readonly exprs: readonly Operation[];
}
export interface ObjectOp extends Op {
  readonly kind: 'ObjectLit';
  readonly props: readonly ({ readonly key: string; readonly value: Operation } | { readonly spread: Operation })[];
}
export interface ArrayOp extends Op {
  readonly kind: 'ArrayLit';
  readonly elements: readonly (Operation | { readonly spread: Operation })[];
}
export interface InOp extends Op {
  readonly kind: 'In';
  readonly needle: Operation;
  readonly haystack: Operation;
}
/** `In` a list of constants, or a call of its `includes`. */
export interface OneOfOp extends Op {
  readonly kind: 'OneOf';
  readonly needle: Operation;
  readonly values: ReadonlySet<unknown>;
}
/** A callee, or the argument of a method that takes a lambda. */
export interface LambdaOp extends Op {
  readonly kind: 'Lambda';
  readonly slots: readonly number[];
  readonly body: Operation;
  /** The steps of one call. */
  readonly steps: number;
}

export interface Plan extends Site {
  readonly body: Operation;
  /** The slots of the inputs, by name. */
  readonly inputs: ReadonlyMap<string, number>;
  readonly slotCount: number;
  readonly steps: number;
}
