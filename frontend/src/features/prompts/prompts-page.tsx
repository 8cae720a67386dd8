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
import { Term } from "../../components/term";
import { parserName } from "../../domain/parsers";
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
        title={<Term name="prompt">Prompts</Term>}
        lead="A prompt tells a language model how to judge each answer. If you change a prompt, Assay creates a new version. Existing verdicts do not change."
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
              Start a judge with this prompt
            </ProjectButtonLink>
            <Button size="small" variant="quiet" onClick={() => onAdapt(prompt)}>
              {prompt.built_in ? "Customize" : "Change"}
              <span className="visually-hidden"> {prompt.name}</span>
            </Button>
          </EntryHead>
        </Entry>
      ))}
    </EntryList>
  );
}

function parserWords({ parser }: Prompt): string {
  return `reply format: ${parserName(parser)}`;
}

function quotingWords({ template }: Prompt): string {
  return template.includes("{data}") ? "answer quoted as data" : "answer inserted as is";
}

function PublishedScores({ prompt }: { readonly prompt: Prompt }) {
  if (prompt.published_scores.length === 0) return null;
  const words = prompt.published_scores.map(
    ({ system, accuracy, f1 }) => `${system} ${accuracy.toFixed(1)} / ${f1.toFixed(1)}`,
  );
  return (
    <p className="soft">
      Scores published for GPT-3.5 on EVOUNA-NQ (accuracy / F1): {words.join(", ")}. The paper that published
      these scores used its own prompt. This prompt rephrases that one, so results may differ.
    </p>
  );
}
