/** Where a new password is typed, with the rule said beforehand. */
import { t } from "../lib/i18n/t";
import { TextField } from "./field";

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
