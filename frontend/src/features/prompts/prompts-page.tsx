/** What language models are asked: Assay's prompts, the papers', and the project's own versions. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { Prompt } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Entry, EntryHead, EntryList, More } from "../../components/list";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { PromptDialog } from "./prompt-dialog";
import styles from "./prompts.module.css";

export function PromptsPage() {
  const project = useProject();
  useTitle("Prompts", project.name);
  const [editing, setEditing] = useState<Prompt | null>(null);
  const query = useQuery(read("/api/projects/{slug}/prompts", { slug: project.slug }));
  const first = query.data?.[0];
  return (
    <Page width="reading">
      <PageHeader
        title="Prompts"
        lead="What a language model is asked about each answer. Changing a prompt creates a new version; existing verdicts keep theirs."
        actions={
          first && (
            <Button variant="primary" onClick={() => setEditing(first)}>
              New prompt
            </Button>
          )
        }
      />
      <QueryView query={query}>
        {(prompts) => <PromptList prompts={prompts} onAdapt={setEditing} />}
      </QueryView>
      {editing && <PromptDialog slug={project.slug} origin={editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}

interface PromptListProps {
  readonly prompts: readonly Prompt[];
  readonly onAdapt: (prompt: Prompt) => void;
}

function PromptList({ prompts, onAdapt }: PromptListProps) {
  return (
    <EntryList>
      {prompts.map((prompt) => (
        <Entry key={`${prompt.reference} ${prompt.version}`}>
          <EntryHead>
            <h2>{prompt.name || prompt.key}</h2>
            {!prompt.built_in && <Badge tone="accent">Version {prompt.version}</Badge>}
            <code className="soft">{prompt.reference}</code>
          </EntryHead>
          <p className="soft">
            {[prompt.paper, parserWords(prompt), quotingWords(prompt)].filter(Boolean).join(" · ")}
          </p>
          <More summary="Prompt text">
            {prompt.system && <pre className={styles["text"]}>{prompt.system}</pre>}
            <pre className={styles["text"]}>{prompt.template}</pre>
            <p className="soft">Hash {prompt.hash.slice(0, 16)}</p>
          </More>
          <PublishedScores prompt={prompt} />
          <EntryHead>
            <ProjectButtonLink
              size="small"
              page="runs/new"
              search={{ judge: "llm", prompt: prompt.reference }}
            >
              Run a judge with it
            </ProjectButtonLink>
            <Button size="small" variant="quiet" onClick={() => onAdapt(prompt)}>
              Adapt<span className="visually-hidden"> {prompt.name}</span>
            </Button>
          </EntryHead>
        </Entry>
      ))}
    </EntryList>
  );
}

function parserWords({ parser }: Prompt): string {
  return `read by “${parser}”`;
}

function quotingWords({ template }: Prompt): string {
  return template.includes("{data}") ? "the answer is quoted as data" : "the answer stands in it as it is";
}

function PublishedScores({ prompt }: { readonly prompt: Prompt }) {
  if (prompt.published_scores.length === 0) return null;
  const words = prompt.published_scores.map(
    ({ system, accuracy, f1 }) => `${system} ${accuracy.toFixed(1)} / ${f1.toFixed(1)}`,
  );
  return (
    <p className="soft">
      Published for GPT-3.5 on EVOUNA-NQ (accuracy / F1), measured with the paper’s own prompt; this one says
      the same in our words and may come to other figures: {words.join(", ")}
    </p>
  );
}
