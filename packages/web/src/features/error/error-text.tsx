import { withoutAnsi } from '@assay/contract';
import { useState } from 'react';
import { countOf } from '../../format/number.ts';
import { graphemeBoundary } from '../../format/text.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { AnsiText } from './ansi-text.tsx';
import styles from './error-text.module.css';

/** A line may be megabytes. */
const MOST_CHARACTERS = 20_000;

interface Props {
  readonly text: string;
  /** Longer ones are shortened until one asks for the rest. */
  readonly lines?: number;
}

/** An error as its runner printed it: colours, code frame and all. */
export const ErrorText = (props: Props) => <Printed {...props} what="error" className={styles['error']} />;

/** What a test printed. */
export const OutputText = (props: Props & { readonly what: string }) => (
  <Printed {...props} className={styles['output']} />
);

type PrintedProps = Props & { readonly what: string; readonly className: string | undefined };

const Printed = ({ text, lines = 24, what, className }: PrintedProps) => {
  const [whole, setWhole] = useState(false);
  const all = text.split('\n');
  const hidden = all.length - lines;
  const begin = hidden <= 2 ? text : all.slice(0, lines).join('\n');
  const shown = whole ? text : begin.slice(0, graphemeBoundary(begin, MOST_CHARACTERS));
  return (
    <div className={classNames(styles['printed'], className)}>
      <div className={styles['tools']}>
        <CopyButton text={withoutAnsi(text)} what={`the ${what}`} />
      </div>
      <pre>
        <AnsiText text={shown} />
      </pre>
      {shown !== text && (
        <Button small className={styles['more']} onClick={() => setWhole(true)}>
          {begin === shown ? `Show ${countOf(hidden, 'more line')}` : `Show the whole ${what}`}
        </Button>
      )}
    </div>
  );
};

/** The first line that says something. */
export const firstLine = (error: string): string =>
  withoutAnsi(error)
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? '';
