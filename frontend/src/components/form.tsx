/** Forms: their frame, and the fields with their labels, hints and errors. */
import {
  type FormEvent,
  type FormEventHandler,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useState,
} from "react";
import { classNames } from "../lib/class-names";
import { t } from "../lib/i18n/t";
import type { SearchState } from "../lib/search-state";
import { Button } from "./button";
import styles from "./form.module.css";

interface FormProps {
  /** For a button outside of it. */
  readonly id?: string;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly children: ReactNode;
}

export function Form({ id, onSubmit, children }: FormProps) {
  return (
    <form id={id} className={styles["form"]} onSubmit={onSubmit}>
      {children}
    </form>
  );
}

/** Fields one below the other, inside a part of a form. */
export function Fields({ children }: { readonly children: ReactNode }) {
  return <div className={styles["form"]}>{children}</div>;
}

export function FormError({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles["formError"]} role="alert">
      {children}
    </p>
  );
}

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

function Field({ id, label, hideLabel, hint, error, children }: FieldProps) {
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

interface FieldRowProps {
  readonly columns?: 2 | 3;
  readonly children: ReactNode;
}

export function FieldRow({ columns = 2, children }: FieldRowProps) {
  return <div className={classNames(styles["row"], columns === 3 && styles["three"])}>{children}</div>;
}

const FEWEST_CHARACTERS = 10;

interface NewPasswordFieldProps {
  readonly label?: string;
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (value: string) => void;
}

export function NewPasswordField({
  label = t("New password"),
  value,
  error,
  onChange,
}: NewPasswordFieldProps) {
  return (
    <TextField
      label={label}
      type="password"
      autoComplete="new-password"
      minLength={FEWEST_CHARACTERS}
      hint={t("At least {count} characters.", { count: FEWEST_CHARACTERS })}
      required
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface SearchFormProps {
  readonly search: SearchState;
  readonly label: string;
  readonly children?: ReactNode;
}

export function SearchForm({ search, label, children }: SearchFormProps) {
  const stored = search.read("search") ?? "";
  const [text, setText] = useState(stored);
  useEffect(() => setText(stored), [stored]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.write({ search: text.trim(), page: undefined });
  };
  return (
    <form className={styles["search"]} role="search" onSubmit={submit}>
      <TextField
        label={label}
        type="search"
        dir="auto"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {children}
      <Button type="submit">{t("Search")}</Button>
    </form>
  );
}
