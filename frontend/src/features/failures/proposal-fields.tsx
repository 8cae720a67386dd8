/** Who proposes tags in a round, whether taggers see it, and what a model may spend on it. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { FieldRow, Select, TextField } from "../../components/form";
import type { RoundForm } from "./round-draft";
import { PROPOSALS } from "./words";

interface ProposalFieldsProps {
  readonly slug: string;
  readonly form: RoundForm;
  readonly onChange: (next: Partial<RoundForm>) => void;
}

export function ProposalFields({ slug, form, onChange }: ProposalFieldsProps) {
  const { data: models = [] } = useQuery(read("/api/projects/{slug}/connections", { slug }));
  return (
    <>
      <Select
        label="Proposed tags"
        hint="A shown proposal leads people to agree; a hidden one is compared with what they say."
        value={form.proposals}
        onChange={(event) => onChange({ proposals: event.target.value as RoundForm["proposals"] })}
      >
        {PROPOSALS.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
      {form.proposals !== "none" && (
        <FieldRow>
          <Select
            label="Who proposes"
            hint="Rules read gold and answer. A model is sent every item, and may cost money."
            value={form.connection}
            onChange={(event) => onChange({ connection: event.target.value })}
          >
            <option value="">Simple rules</option>
            {models.map(({ id, name, model }) => (
              <option key={id} value={id}>
                {name} ({model})
              </option>
            ))}
          </Select>
          {form.connection !== "" && (
            <TextField
              label="Spend at most (USD)"
              hint="Empty for no limit but the connection’s."
              inputMode="decimal"
              value={form.cap}
              onChange={(event) => onChange({ cap: event.target.value })}
            />
          )}
        </FieldRow>
      )}
    </>
  );
}
