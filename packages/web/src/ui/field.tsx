import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
}

type InputProps = FieldProps & Omit<ComponentProps<'input'>, 'id'>;

export const TextField = ({ label, hint, problem, className, ...rest }: InputProps) => (
  <Labelled {...{ label, hint, problem }}>
    {(attributes) => <input className={classNames(styles['input'], className)} {...attributes} {...rest} />}
  </Labelled>
);

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'id'>;

export const TextAreaField = ({ label, hint, problem, className, ...rest }: TextAreaProps) => (
  <Labelled {...{ label, hint, problem }}>
    {(attributes) => <textarea className={classNames(styles['input'], className)} {...attributes} {...rest} />}
  </Labelled>
);

type SelectProps = FieldProps & Omit<ComponentProps<'select'>, 'id'>;

export const SelectField = ({ label, hint, problem, className, ...rest }: SelectProps) => (
  <Labelled {...{ label, hint, problem }}>
    {(attributes) => <select className={classNames(styles['input'], className)} {...attributes} {...rest} />}
  </Labelled>
);

interface Attributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

const Labelled = ({
  label,
  hint,
  problem,
  children,
}: FieldProps & { children: (attributes: Attributes) => ReactNode }) => {
  const id = useId();
  const described = hint || problem ? `${id}-about` : undefined;
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': problem ? true : undefined })}
      {described && (
        <div id={described} className={problem ? styles['problem'] : styles['hint']}>
          {problem ?? hint}
        </div>
      )}
    </div>
  );
};
