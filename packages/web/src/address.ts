import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

export interface SetOptions {
  /** Takes the place of the current address in the history, as while typing. */
  readonly replace?: boolean;
  /** Other parts that change in the same step; an empty one is left out of the address. */
  readonly also?: Readonly<Record<string, string>>;
}

/** One part of the address's query; the fallback is left out of it. */
export const useAddressPart = (
  name: string,
  fallback: string,
): [string, (value: string, options?: SetOptions) => void] => {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (value: string, { replace = false, also = {} }: SetOptions = {}) => {
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [other, text] of Object.entries(also)) {
            if (text === '') next.delete(other);
            else next.set(other, text);
          }
          if (value === fallback) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace },
      );
    },
    [setSearch, name, fallback],
  );
  return [search.get(name) ?? fallback, set];
};

/** The same for one of a few values; anything else in the address counts as the fallback. */
export const useAddressChoice = <T extends string>(
  name: string,
  choices: readonly T[],
  fallback: NoInfer<T>,
): [T, (value: T, options?: SetOptions) => void] => {
  const [value, set] = useAddressPart(name, fallback);
  return [choices.find((choice) => choice === value) ?? fallback, set];
};
