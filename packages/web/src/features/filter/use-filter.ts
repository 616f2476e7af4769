import type { Catalogue } from '@assay/expression';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useAddressPart } from '../../address.ts';
import { type Filter, type Find, findAll, readFilter } from './read-filter.ts';

/** A word that is on its way to become the name of a field is not yet searched for. */
const APPLIED_AFTER_MS = 150;

export interface FilterState {
  readonly text: string;
  /** What the text says, right or wrong. */
  readonly filter: Filter;
  /** The latest text that could be read, as a question to a row. */
  readonly find: Find;
  /** While typing: applied and put in place of the address a moment later. */
  readonly type: (text: string) => void;
  /** At once, and with a step in the history. */
  readonly put: (text: string) => void;
}

/** A filter whose text is `filter=` in the address. */
export const useFilter = (catalogue: Catalogue): FilterState => {
  const [applied, setApplied] = useAddressPart('filter', '');
  const [text, setText] = useState(applied);
  const [seen, setSeen] = useState(applied);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (seen !== applied) {
    setSeen(applied);
    setText(applied);
  }
  const filter = useMemo(() => readFilter(text, catalogue), [text, catalogue]);
  const inAddress = useMemo(() => readFilter(applied, catalogue), [applied, catalogue]);
  const [valid, setValid] = useState<Filter>(inAddress);
  if (inAddress.ok && inAddress !== valid) setValid(inAddress);
  const type = useCallback(
    (next: string): void => {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setApplied(next, { replace: true }), APPLIED_AFTER_MS);
    },
    [setApplied],
  );
  const put = useCallback(
    (next: string): void => {
      clearTimeout(timer.current);
      setText(next);
      setApplied(next);
    },
    [setApplied],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  const latest = inAddress.ok ? inAddress : valid;
  return { text, filter, find: latest.ok ? latest.find : findAll, type, put };
};
