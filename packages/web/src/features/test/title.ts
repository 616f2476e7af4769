export interface SplitTitle {
  /** The groups that the test is in, outermost first. */
  readonly path: readonly string[];
  readonly name: string;
}

/** Runners join the titles of groups and test with ` › `. */
export const splitTitle = (title: string): SplitTitle => {
  const parts = title.split(' › ');
  const name = parts.pop()!;
  return name.trim() === '' ? { path: [], name: title } : { path: parts.filter((part) => part.trim() !== ''), name };
};
