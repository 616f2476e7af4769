import { useState } from 'react';
import { countOf } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { hasTerm, quoteValue, toggleTerm } from '../filter/terms.ts';
import type { FilterState } from '../filter/use-filter.ts';
import { LookNumbers } from './look-numbers.tsx';
import type { FileStatus } from './result-rows.ts';
import styles from './run-aside.module.css';

const FIRST_FILES = 60;

/** Each file with its counts; one of them at a time filters the results. */
export const FileList = ({ files, state }: { readonly files: readonly FileStatus[]; readonly state: FilterState }) => {
  const [all, setAll] = useState(false);
  const shown = all ? files : files.slice(0, FIRST_FILES);
  return (
    <ul className={styles['files']}>
      {shown.map(({ file, counts }) => {
        const term = `file:=${quoteValue(file)}`;
        const pick = (): void => state.put(toggleTerm(state.text, term, (other) => other.startsWith('file:')));
        return (
          <li key={file}>
            <button type="button" className={styles['file']} aria-pressed={hasTerm(state.text, term)} onClick={pick}>
              <PathText path={file} />
              <LookNumbers counts={counts} />
            </button>
          </li>
        );
      })}
      {shown.length < files.length && (
        <li>
          <Button small look="quiet" className={styles['more']} onClick={() => setAll(true)}>
            Show {countOf(files.length - shown.length, 'more file')}
          </Button>
        </li>
      )}
    </ul>
  );
};
