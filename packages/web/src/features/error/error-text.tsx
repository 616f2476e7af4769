import { useState } from 'react';
import { countOf } from '../../format/number.ts';
import { graphemeBoundary } from '../../format/text.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { readAnsi, withoutAnsi } from './ansi.ts';
import styles from './error-text.module.css';

/** A line may be megabytes. */
const MOST_CHARACTERS = 20_000;

interface Props {
  readonly text: string;
  /** Longer ones are shortened until one asks for the rest. */
  readonly lines?: number;
}

/** An error as its runner printed it: colours, code frame and all. */
export const ErrorText = ({ text, lines = 24 }: Props) => {
  const [whole, setWhole] = useState(false);
  const all = text.split('\n');
  const hidden = all.length - lines;
  const begin = hidden <= 2 ? text : all.slice(0, lines).join('\n');
  const shown = whole ? text : begin.slice(0, graphemeBoundary(begin, MOST_CHARACTERS));
  return (
    <div className={styles['error']}>
      <div className={styles['tools']}>
        <CopyButton text={withoutAnsi(text)} what="the error" />
      </div>
      <pre>
        <AnsiText text={shown} />
      </pre>
      {shown !== text && (
        <Button small className={styles['more']} onClick={() => setWhole(true)}>
          {begin === shown ? `Show ${countOf(hidden, 'more line')}` : 'Show the whole error'}
        </Button>
      )}
    </div>
  );
};

export const AnsiText = ({ text }: { readonly text: string }) =>
  readAnsi(text).map(({ text: part, colour, bold, dim }, at) => (
    <span
      key={at}
      className={classNames(colour && styles[colour], bold && styles['bold'], dim && styles['dim']) || undefined}
    >
      {part}
    </span>
  ));

/** The first line that says something. */
export const firstLine = (error: string): string =>
  withoutAnsi(error)
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? '';
