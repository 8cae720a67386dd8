/** Makes a project: a name, a protocol in plain words, and when two answers are the same answer. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { post, read } from "../../api/client";
import type { Preset, ProjectDetail } from "../../api/schema";
import { fieldMessage } from "../../api/error";
import { sessionQuery } from "../../api/session";
import { Button, ButtonLink } from "../../components/button";
import { Choice, Form, Refusal, TextArea, TextField } from "../../components/form";
import { OptionList } from "../../components/option-list";
import { Page, PageHeader, useTitle } from "../../components/page";
import { EmptyState, QueryView } from "../../components/query-view";
import { useWrite } from "../../components/use-write";
import { CleaningSelect, factsOf } from "../../domain/protocol";
import styles from "./new-project-page.module.css";

const POOLINGS = [
  { value: "normalized", name: "Ignoring case, articles and punctuation (recommended)" },
  { value: "casefold", name: "Ignoring case" },
  { value: "exact", name: "Character for character" },
] as const;

type Pooling = (typeof POOLINGS)[number]["value"];

export function NewProjectPage() {
  useTitle("New project");
  const { data: session } = useQuery(sessionQuery);
  if (session?.user?.may_create_projects !== false) return <NewProject />;
  return (
    <Page>
      <EmptyState
        level={1}
        title="You cannot create projects here"
        action={<ButtonLink to="/">All projects</ButtonLink>}
      >
        <p>You need permission to create projects. Ask whoever runs this Assay server.</p>
      </EmptyState>
    </Page>
  );
}

function NewProject() {
  const presets = useQuery(read("/api/presets"));
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [preset, setPreset] = useState<string | null>(null);
  const [pooling, setPooling] = useState<Pooling>("normalized");
  const [cleaning, setCleaning] = useState<ProjectDetail["cleaning"]>("none");
  const chosen = preset ?? presets.data?.[0]?.key ?? "";
  const navigate = useNavigate();
  const body = { name: name.trim(), description: description.trim(), preset: chosen, pooling, cleaning };
  const creation = useWrite(() => post("/api/projects", {}, body), {
    stale: [read("/api/projects").queryKey],
    onDone: (project) => navigate({ to: `/${project.slug}/import` as "/" }),
  });
  return (
    <Page width="reading">
      <PageHeader
        title="New project"
        lead="One study: its questions, the systems that answered, the people who judge."
      />
      <Form onSubmit={() => creation.mutate()}>
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={200}
          value={name}
          error={fieldMessage(creation.error, "name") ?? fieldMessage(creation.error, "slug")}
          onChange={setName}
        />
        <TextArea label="Description (optional)" rows={2} value={description} onChange={setDescription} />
        <QueryView query={presets}>
          {(list) => <PresetChoice presets={list} chosen={chosen} onChoose={setPreset} />}
        </QueryView>
        <Choice
          label="Pool answers that are equal…"
          hint="Pooled answers are judged once, and the label counts for every system that gave them."
          value={pooling}
          options={POOLINGS}
          onChange={setPooling}
        />
        <CleaningSelect value={cleaning} onChange={setCleaning} />
        <Refusal error={creation.error} />
        <div className={styles["actions"]}>
          <Button
            type="submit"
            variant="primary"
            busy={creation.isPending}
            disabled={name.trim() === "" || chosen === ""}
          >
            Create project
          </Button>
          <ButtonLink to="/" variant="quiet">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </Page>
  );
}

interface PresetChoiceProps {
  readonly presets: readonly Preset[];
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}

function PresetChoice({ presets, chosen, onChoose }: PresetChoiceProps) {
  return (
    <OptionList
      label="What do you want to find out?"
      hint="It chooses the protocol: how people judge answers. You can still change it later."
      value={chosen}
      options={presets.map((preset) => ({
        value: preset.key,
        name: preset.goal,
        words: `${preset.name}: ${preset.summary}`,
        more: <Facts preset={preset} />,
      }))}
      onChange={onChoose}
    />
  );
}

function Facts({ preset }: { readonly preset: Preset }) {
  return (
    <span className={styles["facts"]}>
      {factsOf(preset.spec).map((fact) => (
        <span key={fact.name}>
          <span className={styles["fact"]}>{fact.name}: </span>
          {fact.words}
        </span>
      ))}
    </span>
  );
}
