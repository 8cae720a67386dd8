/** Where a new password is typed, with the rule said beforehand. */
import { TextField } from "./field";

interface NewPasswordFieldProps {
  readonly label?: string;
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (value: string) => void;
}

export function NewPasswordField({ label = "New password", value, error, onChange }: NewPasswordFieldProps) {
  return (
    <TextField
      label={label}
      type="password"
      autoComplete="new-password"
      minLength={10}
      hint="At least 10 characters."
      required
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
