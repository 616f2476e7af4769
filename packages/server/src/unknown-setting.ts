/** Kubernetes sets these for a service of the name `service`. */
const OF_KUBERNETES = /^SERVICE_(?:SERVICE_HOST|(?:SERVICE_)?PORT(?:_.*)?)$/;
const MOST_EDITS = 6;

/** What is wrong with the first `SERVICE_*` name that is no setting: the operator believes that it does something. */
export const findUnknownSetting = (names: readonly string[], known: ReadonlySet<string>): string | null => {
  const name = names.find((one) => one.startsWith('SERVICE_') && !known.has(one) && !OF_KUBERNETES.test(one));
  if (name === undefined) return null;
  const [nearest] = [...known]
    .map((setting) => ({ setting, edits: countEdits(name, setting) }))
    .sort((a, b) => a.edits - b.edits);
  const hint = nearest && nearest.edits <= MOST_EDITS ? `; did you mean ${nearest.setting}?` : '';
  return `${name} is not a setting of the service${hint}`;
};

/** The Levenshtein distance: how many letters must be put in, left out or changed. */
const countEdits = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at++) {
    const before = row;
    row = [at];
    for (let index = 1; index <= to.length; index++) {
      const changed = before[index - 1]! + (from[at - 1] === to[index - 1] ? 0 : 1);
      row.push(Math.min(changed, before[index]! + 1, row[index - 1]! + 1));
    }
  }
  return row.at(-1)!;
};
