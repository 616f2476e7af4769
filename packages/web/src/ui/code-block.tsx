import { CopyButton } from './copy-button.tsx';
import styles from './code-block.module.css';

/** Text to be copied as it is. */
export const CodeBlock = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <div className={styles['block']}>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre tabIndex={0} aria-label={what}>
      {text}
    </pre>
    <CopyButton text={text} what={what} />
  </div>
);
