/** An object without a class: its prototype, if any, is the end of its chain. */
export const isPlain = (object: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};
