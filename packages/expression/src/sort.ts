import { toNumber, toText } from './eval-value.ts';
import { type Run, type Site, charge } from './run.ts';

/** A stable merge sort of our own: a lambda as comparator runs under the budget and cannot upset it. Undefined goes last. */
export const sortArray = (
  run: Run,
  elements: readonly unknown[],
  compare: ((...args: unknown[]) => unknown) | undefined,
  at: Site,
): unknown[] => {
  const present = elements.filter((element) => element !== undefined);
  const missing = elements.length - present.length;
  charge(run, Math.ceil(present.length * Math.log2(present.length + 1)), at);
  const sorted: unknown[] = compare
    ? mergeSort(present, (a, b) => toNumber(run, compare(a, b), at) > 0)
    : mergeSort(
        present.map((value) => ({ value, text: toText(run, value, at) })),
        (a, b) => a.text > b.text,
      ).map(({ value }) => value);
  for (let count = 0; count < missing; count++) sorted.push(undefined);
  return sorted;
};

const mergeSort = <T>(items: readonly T[], isAfter: (a: T, b: T) => boolean): T[] => {
  let from = [...items];
  let to = [...items];
  for (let width = 1; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width)
      merge(from, to, start, Math.min(start + width, items.length), Math.min(start + 2 * width, items.length), isAfter);
    [from, to] = [to, from];
  }
  return from;
};

const merge = <T>(
  from: readonly T[],
  to: T[],
  start: number,
  middle: number,
  end: number,
  isAfter: (a: T, b: T) => boolean,
): void => {
  let left = start;
  let right = middle;
  for (let index = start; index < end; index++) {
    const takeLeft = left < middle && (right >= end || !isAfter(from[left]!, from[right]!));
    to[index] = takeLeft ? from[left++]! : from[right++]!;
  }
};
