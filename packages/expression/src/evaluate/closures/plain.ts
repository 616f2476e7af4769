const getPrototype = Object.getPrototypeOf;
const objectPrototype: object = Object.prototype;

const empty: object = {};

/**
 * True for an object that inherits from Object.prototype. Engines answer it from the shape of the object; the question for
 * `constructor` only makes them look at the shape.
 */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'constructor' in value && getPrototype(value) === objectPrototype;

/**
 * True where such an object has the property itself and Object.prototype has none of that name; as an accessor only if the
 * host broke its word. An empty object stands for Object.prototype, of which engines know less.
 */
export const hasOwnPlain = (object: object, name: string): boolean =>
  'constructor' in object && name in object && 'constructor' in empty && !(name in empty);

/** Both for the inputs, which have another shape than rows: what engines learn of the one must not blur the other. */
export const hasPlainInput = (params: unknown, name: string): params is Record<string, unknown> =>
  typeof params === 'object' &&
  params !== null &&
  'constructor' in params &&
  getPrototype(params) === objectPrototype &&
  name in params &&
  'constructor' in empty &&
  !(name in empty);
