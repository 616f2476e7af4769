const USES_BEFORE_A_NAME = 2;
const LONGEST_NAMED = 4_000;
const MOST_NAMES = 200;
const MOST_COUNTED = 1_000;

/**
 * Names for the texts of statements that come again, which a connection then parses and plans once. Texts with lists
 * have as many forms as there are lengths, so there are only so many names.
 */
export const createStatementNames = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size === MOST_NAMES || text.length > LONGEST_NAMED) return known;
    const count = (uses.get(text) ?? 0) + 1;
    if (count <= USES_BEFORE_A_NAME) {
      if (uses.size === MOST_COUNTED) uses.clear();
      uses.set(text, count);
      return undefined;
    }
    uses.delete(text);
    const name = `assay_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
};
