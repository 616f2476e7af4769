import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './button.module.css';

export interface ButtonLook {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined;
  readonly small?: boolean | undefined;
  /** Holds nothing but a symbol; needs an `aria-label`. */
  readonly square?: boolean | undefined;
}

export const buttonClass = ({ look = 'plain', small, square }: ButtonLook): string =>
  classNames(styles['button'], look !== 'plain' && styles[look], small && styles['small'], square && styles['square']);

type Props = ButtonLook & ComponentProps<'button'>;

export const Button = ({ look, small, square, className, type = 'button', ...rest }: Props) => (
  // oxlint-disable-next-line react/button-has-type
  <button type={type} className={classNames(buttonClass({ look, small, square }), className)} {...rest} />
);
