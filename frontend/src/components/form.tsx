/** Forms: their frame, and the fields with their labels, hints and errors. */
import {
  type ComponentProps,
  createElement,
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useState,
} from "react";
import { messageOf } from "../api/error";
import { classNames } from "../lib/class-names";
import { t } from "../lib/i18n/t";
import type { SearchState } from "../lib/search-state";
import { Button } from "./button";
import styles from "./form.module.css";
import { type Explanation, Word } from "./tip";

interface FormProps {
  /** For a button outside of it. */
  readonly id?: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** What sends a form, without the page being loaded anew. */
export function submitting(send: () => void) {
  return (event: FormEvent) => {
    event.preventDefault();
    send();
  };
}

export function Form({ id, onSubmit, children }: FormProps) {
  return (
    <form id={id} className={styles["form"]} onSubmit={submitting(onSubmit)}>
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

/** Why something could not be done, if it could not. */
export function Refusal({ error }: { readonly error: Error | null }) {
  return error && <FormError>{messageOf(error)}</FormError>;
}

/** What a form sends: whether it is under way, and why it was refused. */
export interface Sending {
  readonly isPending: boolean;
  readonly error: Error | null;
}

interface SubmitProps extends ComponentProps<typeof Button> {
  readonly write: Sending;
  /** Whether a field shows the refusal already. */
  readonly isSaid?: boolean;
}

/** The end of a form: why it was refused, and the button that sends it. */
export function Submit({ write, isSaid = false, ...rest }: SubmitProps) {
  return (
    <>
      {!isSaid && <Refusal error={write.error} />}
      <Button {...rest} type="submit" busy={write.isPending} />
    </>
  );
}

interface Wrapping {
  readonly label: string;
  /** Keeps the label for screen readers only. */
  readonly hideLabel?: boolean;
  readonly hint?: ReactNode;
  /** What the label means, shown where it is pointed at, has the focus or is tapped. */
  readonly explains?: Explanation;
  readonly error?: string | null | undefined;
}

/** What a control is told, but that it says what was typed or chosen, not the event. */
type Telling<Attributes, Value = string> = Omit<Attributes, "onChange"> & {
  readonly onChange?: (value: Value) => void;
};

interface FieldProps {
  readonly control: "input" | "textarea" | "select";
  readonly look?: string | undefined;
  readonly own: Telling<Wrapping & Pick<InputHTMLAttributes<HTMLElement>, "id" | "autoFocus" | "className">>;
}

interface Typing {
  readonly target: { readonly value: string };
}

/** A control in its frame: the label above it, hint and error below, of which it is told. */
function Field({ control, look, own }: FieldProps) {
  const { label, hideLabel, hint, explains, error, className, onChange, ...rest } = own;
  const ownId = useId();
  const id = rest.id ?? ownId;
  const told = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={styles["field"]}>
      {explains ? (
        <span className={styles["label"]}>
          <Word {...explains} id={`${id}-label`}>
            {label}
          </Word>
        </span>
      ) : (
        <label htmlFor={id} className={hideLabel ? "visually-hidden" : styles["label"]}>
          {label}
        </label>
      )}
      {createElement(control, {
        ...rest,
        id,
        "aria-labelledby": explains && `${id}-label`,
        onChange: onChange && (({ target }: Typing) => onChange(target.value)),
        "aria-describedby": told || undefined,
        "aria-invalid": error ? true : undefined,
        "data-autofocus": rest.autoFocus || undefined,
        className: classNames(styles["control"], look, className),
      })}
      {hint && (
        <p id={`${id}-hint`} className="soft">
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

export function TextField(props: Wrapping & Telling<InputHTMLAttributes<HTMLInputElement>>) {
  return <Field control="input" own={{ type: "text", ...props }} />;
}

export function TextArea(props: Wrapping & Telling<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return <Field control="textarea" look={styles["area"]} own={{ rows: 3, ...props }} />;
}

type SelectProps = Wrapping & Telling<SelectHTMLAttributes<HTMLSelectElement>>;

export function Select(props: SelectProps) {
  return <Field control="select" look={styles["select"]} own={props} />;
}

export interface Option<Value = string> {
  readonly value: Value;
  readonly name: string;
}

interface GroupedOption<Value> extends Option<Value> {
  /** Neighbors of one group stand under its name. */
  readonly group?: string;
}

export interface ChoiceProps<Value = string> extends Omit<SelectProps, "value" | "onChange"> {
  /** Undefined: the first. */
  readonly value: Value | undefined;
  /** Undefined while they are read. */
  readonly options: readonly GroupedOption<Value>[] | undefined;
  /** What stands first, for the empty choice. */
  readonly empty?: string;
  readonly onChange: (value: Value) => void;
}

export function optionsOf<Value extends string>(words: Readonly<Record<Value, string>>): Option<Value>[] {
  return Object.entries<string>(words).map(([value, name]) => ({ value: value as Value, name }));
}

/** One of several that have names. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { options = [], empty, value: chosen, onChange, ...rest } = props;
  const first = empty === undefined ? options[0]?.value : "";
  const groups = [...new Set(options.map(({ group }) => group))];
  return (
    <Select {...rest} value={chosen ?? first} onChange={(key) => onChange(key as Value)}>
      {empty !== undefined && <option value="">{empty}</option>}
      {groups.map((name) => {
        const own = <Options key={name ?? ""} options={options.filter(({ group }) => group === name)} />;
        return name === undefined ? (
          own
        ) : (
          <optgroup key={name} label={name}>
            {own}
          </optgroup>
        );
      })}
    </Select>
  );
}

function Options({ options }: { readonly options: readonly Option[] }) {
  return options.map(({ value, name }) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
}

type CheckboxProps = Omit<Wrapping, "error" | "explains" | "hideLabel"> &
  Telling<InputHTMLAttributes<HTMLInputElement>, boolean>;

export function Checkbox({ label, hint, className, onChange, ...rest }: CheckboxProps) {
  const ownId = useId();
  const id = rest.id ?? ownId;
  return (
    <div className={classNames(styles["check"], className)}>
      <input
        type="checkbox"
        {...rest}
        id={id}
        onChange={({ target }) => onChange?.(target.checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

interface SeveralProps<Value> {
  readonly legend: ReactNode;
  readonly options: readonly (Option<Value> & Pick<CheckboxProps, "hint" | "title" | "aria-label">)[];
  readonly chosen: readonly Value[];
  /** One below the other. */
  readonly isList?: boolean;
  readonly onChange: (chosen: readonly Value[]) => void;
  readonly children?: ReactNode;
}

/** Any number of those that have names. */
export function Several<Value extends string>(props: SeveralProps<Value>) {
  const { legend, options, chosen, isList, onChange, children } = props;
  return (
    <fieldset className={classNames(styles["several"], isList && styles["list"])}>
      <legend>{legend}</legend>
      {options.map(({ value, name, ...more }) => (
        <Checkbox
          key={value}
          label={name}
          checked={chosen.includes(value)}
          onChange={() => onChange(toggled(chosen, value))}
          {...more}
        />
      ))}
      {children}
    </fieldset>
  );
}

/** What is chosen comes in last, and goes out when it is chosen again. */
export function toggled<Value>(chosen: readonly Value[], value: Value): readonly Value[] {
  return chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
}

/**
 * What a field of text is told of a draft, by the name of what is typed into it; `complaint` says what is wrong
 * with it, by the server's name of it, which is in snake case.
 */
export function fieldsOf<Draft extends object>(
  draft: Draft,
  change: (changes: Partial<Draft>) => void,
  complaint: (name: string) => string | null = () => null,
) {
  return (name: Extract<keyof Draft, string>) => ({
    value: String(draft[name] ?? ""),
    error: complaint(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    onChange: (value: string) => change({ [name]: value } as unknown as Partial<Draft>),
  });
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
      onChange={onChange}
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
  const submit = submitting(() => search.write({ search: text.trim(), cursor: undefined }));
  return (
    <form className={styles["search"]} role="search" onSubmit={submit}>
      <TextField label={label} type="search" dir="auto" maxLength={200} value={text} onChange={setText} />
      {children}
      <Button type="submit">{t("Search")}</Button>
    </form>
  );
}
