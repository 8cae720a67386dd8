/** One option of a judge as the field that fits its type. */
import type { JudgeOption } from "../../api/contract";
import { Checkbox, Select, TextField } from "../../components/form";
import { hintOf, kindOf } from "./option-values";

interface OptionFieldProps {
  readonly option: JudgeOption;
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (text: string) => void;
}

function labelOf(option: JudgeOption): string {
  const words = option.name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function OptionField({ option, value, error, onChange }: OptionFieldProps) {
  const kind = kindOf(option);
  const common = { label: labelOf(option), hint: hintOf(option) };
  if (kind === "boolean") {
    return (
      <Checkbox
        {...common}
        checked={value.toLowerCase() === "true"}
        onChange={(event) => onChange(String(event.target.checked))}
      />
    );
  }
  if (kind === "choice") {
    return (
      <Select {...common} error={error} value={value} onChange={(event) => onChange(event.target.value)}>
        {option.choices?.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </Select>
    );
  }
  return (
    <TextField
      {...common}
      error={error}
      inputMode={kind === "number" ? "decimal" : "text"}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
