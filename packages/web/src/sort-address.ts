import { useAddressPart } from './address.ts';

export interface Sort<T extends string> {
  readonly column: T;
  /** Against the order in which one first wants to see that column. */
  readonly reversed: boolean;
}

/** `duration`, or `-duration` for the other way round; anything else is the fallback. */
export const readSort = <T extends string>(text: string, columns: readonly T[], fallback: T): Sort<T> => {
  const reversed = text.startsWith('-');
  const column = columns.find((name) => name === (reversed ? text.slice(1) : text));
  return column === undefined ? { column: fallback, reversed: false } : { column, reversed };
};

/** The order of a list in the address; choosing its column again turns it round. */
export const useSort = <T extends string>(
  columns: readonly T[],
  fallback: NoInfer<T>,
): [Sort<T>, (column: T) => void] => {
  const [text, setText] = useAddressPart('sort', fallback);
  const sort = readSort(text, columns, fallback);
  const choose = (column: T): void => setText(sort.column === column && !sort.reversed ? `-${column}` : column);
  return [sort, choose];
};
