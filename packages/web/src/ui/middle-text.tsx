import type { ClipboardEvent } from 'react';
import { graphemeBoundary } from '../format/text.ts';
import styles from './middle-text.module.css';

const TAIL = 14;

interface Props {
  readonly text: string;
  readonly tail?: number;
  /** For long lists, as it is cheaper to draw: what it stands in has the text as its label. */
  readonly labelled?: boolean;
}

/**
 * One line that gives way in its middle; the whole of it on hover, when copied and to screen readers. In a narrow panel it
 * wraps.
 */
export const MiddleText = ({ text, tail = TAIL, labelled = false }: Props) => {
  if (text.length <= tail * 2) {
    return (
      <span className={styles['short']} title={text}>
        {text}
      </span>
    );
  }
  const cut = graphemeBoundary(text, wordStart(text, text.length - tail));
  return (
    <span className={styles['text']} title={text} onCopy={copyInOnePiece}>
      {/* The two parts would be read as two words. */}
      {!labelled && <span className={styles['whole']}>{text}</span>}
      <span className={styles['head']} aria-hidden="true">
        {text.slice(0, cut)}
      </span>
      <span className={styles['tail']} aria-hidden="true">
        {text.slice(cut)}
      </span>
    </span>
  );
};

/** The end begins with a word, if one begins near. */
const wordStart = (text: string, cut: number): number => {
  const gap = text.slice(cut - 1, cut + 1 + (text.length - cut) / 2).search(/\s(?=\S)/);
  return gap < 0 ? cut : cut + gap;
};

/** A browser copies the two parts as two lines. */
const copyInOnePiece = (event: ClipboardEvent<HTMLElement>): void => {
  const selection = window.getSelection();
  const within = (node: Node | null | undefined): boolean => event.currentTarget.contains(node ?? null);
  if (!selection || !within(selection.anchorNode) || !within(selection.focusNode)) return;
  event.clipboardData.setData('text/plain', selection.toString().replaceAll('\n', ''));
  event.preventDefault();
};
