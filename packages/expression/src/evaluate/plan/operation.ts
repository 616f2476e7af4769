import type { BinaryOperator, LogicalOperator, UnaryOperator } from '../../tree/node.ts';
import type { EvalCode } from '../codes.ts';
import type { GlobalFunction } from '../library/globals.ts';
import type { Brand } from '../operators.ts';
import type { Site } from '../run.ts';

/** A node with everything resolved that does not depend on data: what the interpreter walks and the compilers compile. */
export type Operation =
  | Fixed
  | Failing
  | Slot
  | Captured
  | Link
  | Chain
  | Static
  | Applied
  | BinaryOp
  | InstanceOf
  | LogicalOp
  | UnaryOp
  | TypeofCapture
  | Choice
  | TemplateOp
  | ObjectOp
  | ArrayOp
  | Membership;

/** A link of a chain; `short` says whether it, or a link before it, may end the chain early. */
export type Link = Property | Element | MethodCall | HostCall;

interface Op extends Site {
  readonly short?: boolean;
}

export interface Fixed extends Op {
  readonly op: 'constant';
  readonly value: unknown;
  readonly mutable: boolean;
}
/** What always fails when it is reached. */
export interface Failing extends Op {
  readonly op: 'fail';
  readonly code: EvalCode;
  readonly message: string;
}
export interface Slot extends Op {
  readonly op: 'slot';
  readonly slot: number;
  readonly name: string;
  /** Given from outside, so that it may be missing. */
  readonly input: boolean;
}
export interface Captured extends Op {
  readonly op: 'capture';
  readonly name: string;
}
export interface Property extends Op {
  readonly op: 'member';
  readonly object: Operation;
  readonly name: string;
  readonly optional: boolean;
}
export interface Element extends Op {
  readonly op: 'index';
  readonly object: Operation;
  readonly index: Operation;
  readonly optional: boolean;
}
export interface MethodCall extends Op {
  readonly op: 'method';
  readonly object: Operation;
  readonly name: string;
  readonly args: readonly Argument[];
  /** The callee, which fails on a null base. */
  readonly callee: Site;
  readonly optional: boolean;
  readonly optionalCall: boolean;
}
export interface HostCall extends Op {
  readonly op: 'host';
  readonly name: string;
  readonly args: readonly Operation[];
  readonly callee: Site;
  readonly optionalCall: boolean;
}
/** The end of a chain that may be cut short. */
export interface Chain extends Op {
  readonly op: 'chain';
  readonly body: Link;
}
export interface Static extends Op {
  readonly op: 'static';
  readonly call: GlobalFunction;
  readonly args: readonly Operation[];
}
export interface Applied extends Op {
  readonly op: 'apply';
  readonly lambda: LambdaOp;
  readonly args: readonly Operation[];
}
export interface BinaryOp extends Op {
  readonly op: 'binary';
  readonly operator: Exclude<BinaryOperator, 'instanceof'>;
  readonly left: Operation;
  readonly right: Operation;
}
export interface InstanceOf extends Op {
  readonly op: 'instanceof';
  readonly left: Operation;
  readonly brand: Brand;
}
export interface LogicalOp extends Op {
  readonly op: 'logical';
  readonly operator: LogicalOperator;
  readonly left: Operation;
  readonly right: Operation;
}
export interface UnaryOp extends Op {
  readonly op: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Operation;
}
export interface TypeofCapture extends Op {
  readonly op: 'typeofCapture';
  readonly capture: Captured;
}
export interface Choice extends Op {
  readonly op: 'ternary';
  readonly test: Operation;
  readonly yes: Operation;
  readonly no: Operation;
}
export interface TemplateOp extends Op {
  readonly op: 'template';
  readonly quasis: readonly string[];
  readonly exprs: readonly Operation[];
}
export interface ObjectOp extends Op {
  readonly op: 'object';
  readonly props: readonly ({ readonly key: string; readonly value: Operation } | { readonly spread: Operation })[];
}
export interface ArrayOp extends Op {
  readonly op: 'array';
  readonly elements: readonly { readonly value: Operation; readonly spread: boolean }[];
}
export interface Membership extends Op {
  readonly op: 'in';
  readonly needle: Operation;
  readonly haystack: Operation;
}

export interface LambdaOp extends Op {
  readonly op: 'lambda';
  readonly slots: readonly number[];
  readonly body: Operation;
  /** The steps of one call. */
  readonly steps: number;
}

export type Argument = Operation | LambdaOp;

export interface Plan extends Site {
  readonly body: Operation;
  /** The names of the inputs; they have the first slots. */
  readonly inputs: readonly string[];
  readonly slotCount: number;
  readonly steps: number;
}
