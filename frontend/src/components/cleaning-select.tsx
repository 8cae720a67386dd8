/** What is taken out of answers before they are judged. */
import type { Project } from "../api/contract";
import { Select } from "./field";

type Cleaning = Project["cleaning"];

const CLEANINGS: readonly { readonly value: Cleaning; readonly name: string }[] = [
  { value: "none", name: "Nothing: judge answers as they came (usual)" },
  {
    value: "chat",
    name: "Chat talk: bold marks, citation numbers, greetings, offers of help, source lists",
  },
];

interface CleaningSelectProps {
  readonly value: Cleaning;
  readonly onChange: (cleaning: Cleaning) => void;
}

export function CleaningSelect({ value, onChange }: CleaningSelectProps) {
  return (
    <Select
      label="Taken out of answers before they are judged…"
      hint="The answers as they came are kept and shown. This cannot be changed once there are answers."
      value={value}
      onChange={(event) => onChange(event.target.value as Cleaning)}
    >
      {CLEANINGS.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </Select>
  );
}
