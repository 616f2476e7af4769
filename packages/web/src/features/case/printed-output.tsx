import { withoutAnsi } from '@assay/contract';
import { useState } from 'react';
import { countOf } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { AnsiText } from '../error/ansi-text.tsx';
import { joinPrinted, type Printed } from './attempts.ts';
import { firstLines } from './first-lines.ts';
import styles from './printed-output.module.css';

const LINES = 40;
const NAMES = { stdout: 'Standard output', stderr: 'Standard error', note: 'Note' } as const;

/** What an attempt printed, both streams in the order in which they were written. */
export const PrintedOutput = ({ output }: { readonly output: readonly Printed[] }) => {
  const [whole, setWhole] = useState(false);
  const pieces = joinPrinted(output);
  const { shown, hidden } = whole ? { shown: pieces, hidden: 0 } : firstLines(pieces, LINES);
  const text = pieces.map(({ text }) => text).join('');
  return (
    <div className={styles['printed']}>
      <div className={styles['tools']}>
        <CopyButton text={withoutAnsi(text)} what="the output" />
      </div>
      {shown.map(({ stream, text }, at) => (
        <div key={at} className={styles[stream]} role="group" aria-label={NAMES[stream]}>
          {stream === 'stderr' && <span aria-hidden="true">stderr</span>}
          <pre>
            <AnsiText text={text} />
          </pre>
        </div>
      ))}
      {hidden > 0 && (
        <Button small className={styles['more']} onClick={() => setWhole(true)}>
          Show {countOf(hidden, 'more line')}
        </Button>
      )}
    </div>
  );
};
