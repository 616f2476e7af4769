/** Why an evaluation fails. The codes are stable. */
export const EVAL_CODES = {
  'eval.unboundParam': 'A parameter that no lambda binds and no input gives',
  'eval.unboundCapture': 'A captured name that the scope does not hold as an own data property',
  'eval.nullBase': 'A property, an index or a method of null or undefined',
  'eval.type': 'An operand or argument of a type that the operation does not take',
  'eval.range': 'A number outside of what the operation takes, such as a division of a bigint by zero',
  'eval.syntax': 'A text that does not parse, such as the argument of JSON.parse',
  'eval.notValue': 'A function or a symbol was found in data; neither is a value',
  'eval.lambda': 'A lambda where a value is wanted: it may only be called or handed to a method that takes one',
  'eval.global': 'A global object where a value is wanted, or a global that is not on the list',
  'eval.host': 'A function of the host, or a trap in its data, failed',
  'eval.node': 'No node of version 1: the tree was never read',
  'call.denied': 'A call of what may not be called',
  'key.forbidden': 'The key __proto__',
  'template.arity': 'A template needs one quasi more than expressions',
  'limit.steps': 'The evaluation needs more steps than it may take',
  'limit.depth': 'The tree, or data that it walks, is nested too deeply',
  'limit.nodes': 'The tree has too many nodes',
  'limit.lambdaNesting': 'Lambdas are nested too deeply',
  'limit.bigintDigits': 'A bigint with too many digits',
  'limit.regexpLength': 'The source of a regular expression is too long',
  'limit.outputStringLength': 'A text that is made is too long',
  'limit.outputArrayLength': 'An array or object that is made has too many elements',
} as const;

export type EvalCode = keyof typeof EVAL_CODES;
