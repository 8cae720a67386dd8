/** Which decided answers a round draws from. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { RoundFilter, TaggableRun } from "../../api/contract";
import { Checkbox, FieldRow, Select } from "../../components/form";
import { FLAGS, PEOPLE, SAID } from "./words";

interface FilterFieldsProps {
  readonly slug: string;
  readonly runs: readonly TaggableRun[];
  readonly filter: RoundFilter;
  readonly onChange: (changes: RoundFilter) => void;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly disabled?: boolean;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, options, disabled, onChange }: ChoiceProps<Value>) {
  return (
    <Select
      label={label}
      value={value ?? options[0]?.value}
      disabled={disabled ?? false}
      onChange={(event) => onChange(event.target.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </Select>
  );
}

export function FilterFields({ slug, runs, filter, onChange }: FilterFieldsProps) {
  const systems = useQuery(read("/api/projects/{slug}/systems", { slug }));
  const systemOptions = (systems.data ?? []).map(({ id, label }) => ({ value: id, name: label }));
  const runOptions = runs.map(({ id, name }) => ({ value: id, name }));
  return (
    <>
      <FieldRow columns={3}>
        <Choice
          label="People decided"
          value={filter.people}
          options={PEOPLE}
          onChange={(people) => onChange({ people })}
        />
        <Choice
          label="Judge"
          value={filter.run}
          options={[{ value: "", name: "No judge" }, ...runOptions]}
          onChange={(run) => onChange({ run, ...(run === "" && { said: "any" }) })}
        />
        <Choice
          label="The judge says"
          value={filter.said}
          options={SAID}
          disabled={!filter.run}
          onChange={(said) => onChange({ said })}
        />
      </FieldRow>
      <FieldRow>
        <Choice
          label="System"
          value={filter.system}
          options={[{ value: "", name: "Any" }, ...systemOptions]}
          onChange={(system) => onChange({ system })}
        />
        <Choice
          label="Raters flagged the question"
          value={filter.flag}
          options={FLAGS}
          onChange={(flag) => onChange({ flag })}
        />
      </FieldRow>
      <Checkbox
        label="Only answers that equal no gold answer"
        checked={filter.beyond_gold ?? false}
        onChange={(event) => onChange({ beyond_gold: event.target.checked })}
      />
    </>
  );
}
