/** Remembers what a function made of each key, for as long as the function is kept. */
export const memoise = <K>(make: (key: K) => string): ((key: K) => string) => {
  const known = new Map<K, string>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    known.set(key, made);
    return made;
  };
};
