/** Form fields with their label, hint and complaint tied together. */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { classNames } from "../lib/class-names";
import styles from "./field.module.css";

interface Wrapping {
  readonly label: string;
  /** Keeps the label for screen readers only. */
  readonly hideLabel?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | null | undefined;
}

interface FieldProps extends Wrapping {
  readonly id: string;
  readonly children: ReactNode;
}

export function Field({ id, label, hideLabel, hint, error, children }: FieldProps) {
  return (
    <div className={styles["field"]}>
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : styles["label"]}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className={styles["hint"]}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles["error"]} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function descriptionOf(id: string, { hint, error }: Wrapping) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { "aria-describedby": ids || undefined, "aria-invalid": error ? true : undefined };
}

export function TextField({
  label,
  hideLabel,
  hint,
  error,
  className,
  ...rest
}: Wrapping & InputHTMLAttributes<HTMLInputElement>) {
  const ownId = useId();
  const id = rest.id ?? ownId;
  return (
    <Field id={id} {...{ label, hideLabel, hint, error }}>
      <input
        type="text"
        {...rest}
        {...descriptionOf(id, { label, hint, error })}
        id={id}
        data-autofocus={rest.autoFocus || undefined}
        className={classNames(styles["control"], className)}
      />
    </Field>
  );
}

export function TextArea({
  label,
  hideLabel,
  hint,
  error,
  className,
  ...rest
}: Wrapping & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const ownId = useId();
  const id = rest.id ?? ownId;
  return (
    <Field id={id} {...{ label, hideLabel, hint, error }}>
      <textarea
        rows={3}
        {...rest}
        {...descriptionOf(id, { label, hint, error })}
        id={id}
        data-autofocus={rest.autoFocus || undefined}
        className={classNames(styles["control"], styles["area"], className)}
      />
    </Field>
  );
}

export function Select({
  label,
  hideLabel,
  hint,
  error,
  className,
  children,
  ...rest
}: Wrapping & SelectHTMLAttributes<HTMLSelectElement>) {
  const ownId = useId();
  const id = rest.id ?? ownId;
  return (
    <Field id={id} {...{ label, hideLabel, hint, error }}>
      <select
        {...rest}
        {...descriptionOf(id, { label, hint, error })}
        id={id}
        className={classNames(styles["control"], styles["select"], className)}
      >
        {children}
      </select>
    </Field>
  );
}

export function Checkbox({
  label,
  hint,
  className,
  ...rest
}: Omit<Wrapping, "error" | "hideLabel"> & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={classNames(styles["check"], className)}>
      <input type="checkbox" {...rest} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className={styles["hint"]}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
