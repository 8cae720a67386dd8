/** Which answers a run takes: what people judge or all, of one data set, of one system. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Judge, RunScopes } from "../../api/contract";
import { FieldRow, Select } from "../../components/form";
import { formatCount } from "../../lib/numbers";
import type { RunDraft } from "./run-draft";

interface ScopeFieldsProps {
  readonly slug: string;
  readonly judge: Judge;
  readonly draft: RunDraft;
  readonly onChange: (changes: Partial<RunDraft>) => void;
}

export function ScopeFields({ slug, judge, draft, onChange }: ScopeFieldsProps) {
  const { data } = useQuery(read("/api/projects/{slug}/runs/scopes", { slug }));
  if (!data) return null;
  const onlyJudged = draft.onlyJudged ?? (data.is_sampled && !judge.is_lexical);
  const count = (part: { answers: number; judged: number }) =>
    formatCount(onlyJudged ? part.judged : part.answers);
  return (
    <FieldRow columns={3}>
      {data.is_sampled && (
        <Select
          label="Answers"
          hint="Only what people judge can be compared with them."
          value={onlyJudged ? "judged" : "all"}
          onChange={(event) => onChange({ onlyJudged: event.target.value === "judged" })}
        >
          <option value="judged">What people judge ({formatCount(data.judged)})</option>
          <option value="all">Every answer ({formatCount(data.answers)})</option>
        </Select>
      )}
      {data.datasets.length > 0 && (
        <Parts
          label="Data set"
          parts={data.datasets}
          count={count}
          value={draft.dataset}
          onChoose={(dataset) => onChange({ dataset })}
        />
      )}
      {data.systems.length > 1 && (
        <Parts
          label="System"
          parts={data.systems}
          count={count}
          value={draft.system}
          onChoose={(system) => onChange({ system })}
        />
      )}
    </FieldRow>
  );
}

interface PartsProps {
  readonly label: string;
  readonly parts: RunScopes["datasets"];
  readonly count: (part: RunScopes["datasets"][number]) => string;
  readonly value: string;
  readonly onChoose: (id: string) => void;
}

function Parts({ label, parts, count, value, onChoose }: PartsProps) {
  return (
    <Select label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
      <option value="">Any</option>
      {parts.map((part) => (
        <option key={part.id} value={part.id}>
          {part.name} ({count(part)})
        </option>
      ))}
    </Select>
  );
}
