import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './code-block.module.css';

/** Text to be copied as it is. */
export const CodeBlock = ({
  text,
  what,
  wrap = false,
}: {
  readonly text: string;
  readonly what: string;
  /** Long lines are broken where they are shown, not where they are copied. */
  readonly wrap?: boolean;
}) => (
  <div className={classNames(styles['block'], wrap && styles['wrap'])}>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre tabIndex={0} aria-label={what}>
      {text}
    </pre>
    <CopyButton text={text} what={what} />
  </div>
);
