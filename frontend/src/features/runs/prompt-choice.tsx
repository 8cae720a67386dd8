/** What the model is asked. */
import { useQuery } from "@tanstack/react-query";
import { promptsQuery } from "../../api/prompts/prompts";
import { Select } from "../../components/field";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { Skeleton } from "../../components/skeleton";

interface PromptChoiceProps {
  readonly slug: string;
  readonly value: string;
  readonly onChange: (reference: string) => void;
}

export function PromptChoice({ slug, value, onChange }: PromptChoiceProps) {
  const query = useQuery(promptsQuery(slug));
  return (
    <QueryView query={query} loading={<Skeleton lines={2} />}>
      {(prompts) => (
        <Select
          label="Prompt"
          hint={<ProjectLink page="runs/prompts">See and adapt the prompts</ProjectLink>}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {prompts.map((prompt) => (
            <option key={prompt.reference} value={prompt.reference}>
              {prompt.built_in ? prompt.name : `${prompt.name || prompt.key}, version ${prompt.version}`}
            </option>
          ))}
        </Select>
      )}
    </QueryView>
  );
}
