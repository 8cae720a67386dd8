/** What the model is asked, and whether its replies have room. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { Button } from "../../components/button";
import { Choice } from "../../components/form";
import { Notice } from "../../components/notice";
import { ProjectLink } from "../../components/project-link";
import { QueryView, Skeleton } from "../../components/query-view";
import { explained } from "../../components/term";

interface PromptChoiceProps {
  readonly slug: string;
  readonly value: string;
  readonly maxTokens: string;
  readonly onChange: (reference: string) => void;
  readonly onAllow: (tokens: string) => void;
}

export function PromptChoice({ slug, value, maxTokens, onChange, onAllow }: PromptChoiceProps) {
  const query = useQuery(read("/api/projects/{slug}/prompts", { slug }));
  return (
    <QueryView query={query} loading={<Skeleton lines={2} />}>
      {(prompts) => (
        <>
          <Choice
            label="Prompt"
            explains={explained("prompt")}
            hint={<ProjectLink page="runs/prompts">View and customize prompts</ProjectLink>}
            value={value}
            options={prompts.map((prompt) => ({
              value: prompt.reference,
              name: prompt.built_in ? prompt.name : `${prompt.name || prompt.key}, version ${prompt.version}`,
            }))}
            onChange={onChange}
          />
          <TooShort
            wanted={prompts.find(({ reference }) => reference === value)?.reply_tokens ?? 0}
            maxTokens={maxTokens}
            onAllow={onAllow}
          />
        </>
      )}
    </QueryView>
  );
}

interface TooShortProps extends Pick<PromptChoiceProps, "maxTokens" | "onAllow"> {
  readonly wanted: number;
}

function TooShort({ wanted, maxTokens, onAllow }: TooShortProps) {
  if (!(Number(maxTokens) < wanted)) return null;
  return (
    <Notice
      tone="warning"
      title={`Replies to this prompt may need ${wanted} tokens, but the limit is ${maxTokens}.`}
      actions={
        <Button size="small" onClick={() => onAllow(String(wanted))}>
          Allow {wanted} tokens
        </Button>
      }
    >
      <p>A reply that is cut off costs money but gives no verdict.</p>
    </Notice>
  );
}
