import { BINARY } from '../operators.ts';
import { type Run, type Site, charge } from '../run.ts';
import { toNumber, toText } from '../value.ts';

/** A stable merge sort of our own: a lambda as comparator runs under the budget and cannot upset it. Undefined goes last. */
export const sortArray = (
  run: Run,
  elements: readonly unknown[],
  compare: ((...args: unknown[]) => unknown) | undefined,
  at: Site,
): unknown[] => {
  const present = elements.filter((element) => element !== undefined);
  charge(run, Math.ceil(present.length * Math.log2(present.length + 1)), at);
  const sorted: readonly unknown[] = compare
    ? mergeSort(present, (a, b) => toNumber(run, compare(a, b), at) > 0)
    : mergeSort(
        present.map((value) => ({ value, text: toText(run, value, at) })),
        (a, b) => BINARY['>'](run, a.text, b.text, at) === true,
      ).map(({ value }) => value);
  return [...sorted, ...elements.filter((element) => element === undefined)];
};

const mergeSort = <T>(items: readonly T[], isAfter: (a: T, b: T) => boolean): readonly T[] => {
  if (items.length < 2) return items;
  const middle = items.length >> 1;
  const left = mergeSort(items.slice(0, middle), isAfter);
  const right = mergeSort(items.slice(middle), isAfter);
  let [l, r] = [0, 0];
  return items.map(() =>
    l < left.length && (r >= right.length || !isAfter(left[l]!, right[r]!)) ? left[l++]! : right[r++]!,
  );
};
