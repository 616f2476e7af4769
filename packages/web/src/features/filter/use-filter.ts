import { type Filterable, type Find, findAll } from '@assay/contract/filter';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type SetOptions, useAddressPart } from '../../address.ts';
import { type ReadText, readText, withWords } from './read-filter.ts';

/** A word that is on its way to become the name of a field is not yet searched for. */
const APPLIED_AFTER_MS = 150;

export interface FilterState {
  readonly text: string;
  /** What the text says, right or wrong. */
  readonly filter: ReadText;
  /** The latest text that could be read, as a question to a row. */
  readonly find: Find;
  /** While typing: applied and put in place of the address a moment later. */
  readonly type: (text: string) => void;
  /** At once, and with a step in the history. */
  readonly put: (text: string, also?: SetOptions['also']) => void;
}

/** A filter of a list. */
export const useFilter = (fields: Filterable): FilterState => {
  const catalogue = useMemo(() => withWords(fields), [fields]);
  return useFilterText(useCallback((text) => readText(text, catalogue), [catalogue]));
};

/** A text that is `filter=` in the address; `read` changes with what it reads by. */
export const useFilterText = (read: (text: string) => ReadText): FilterState => {
  const [applied, setApplied] = useAddressPart('filter', '');
  const [text, setText] = useState(applied);
  const [seen, setSeen] = useState(applied);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (seen !== applied) {
    setSeen(applied);
    setText(applied);
  }
  const filter = useMemo(() => read(text), [text, read]);
  const inAddress = useMemo(() => read(applied), [applied, read]);
  const [valid, setValid] = useState<ReadText>(inAddress);
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
    (next: string, also?: SetOptions['also']): void => {
      clearTimeout(timer.current);
      setText(next);
      setApplied(next, also && { also });
    },
    [setApplied],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  const latest = inAddress.ok ? inAddress : valid;
  return { text, filter, find: latest.ok ? latest.find : findAll, type, put };
};
