/** What is taken out of answers before they are judged. */
import type { Project } from "../api/contract";
import { t } from "../lib/i18n/t";
import { Select } from "./field";

type Cleaning = Project["cleaning"];

const CLEANINGS = [
  { value: "none", name: "Nothing: judge answers as they came (usual)" },
  {
    value: "chat",
    name: "Chat talk: bold marks, citation numbers, greetings, offers of help, source lists",
  },
] as const satisfies readonly { readonly value: Cleaning; readonly name: string }[];

interface CleaningSelectProps {
  readonly value: Cleaning;
  readonly onChange: (cleaning: Cleaning) => void;
}

export function CleaningSelect({ value, onChange }: CleaningSelectProps) {
  return (
    <Select
      label={t("Taken out of answers before they are judged…")}
      hint={t("The answers as they came are kept and shown. This cannot be changed once there are answers.")}
      value={value}
      onChange={(event) => onChange(event.target.value as Cleaning)}
    >
      {CLEANINGS.map((option) => (
        <option key={option.value} value={option.value}>
          {t(option.name)}
        </option>
      ))}
    </Select>
  );
}
