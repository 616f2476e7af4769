/** Gives each test a row of its own, in the order in which the tests are first seen. */
export interface TestRows {
  readonly ids: number[];
  readonly rowOf: Map<number, number>;
}

export const startTestRows = (): TestRows => ({ ids: [], rowOf: new Map() });

/**
 * The row of a test, which is made when it has none. Runs and summaries list tests in much the same order, so it is
 * mostly where it is expected: after the row of the test before.
 */
export const rowFor = ({ ids, rowOf }: TestRows, testId: number, expected: number): number => {
  if (ids[expected] === testId) return expected;
  const known = rowOf.get(testId);
  if (known !== undefined) return known;
  const row = ids.push(testId) - 1;
  rowOf.set(testId, row);
  return row;
};
