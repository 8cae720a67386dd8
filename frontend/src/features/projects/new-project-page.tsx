/** Makes a project: a name, a protocol in plain words, and when two answers are the same answer. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { post, read } from "../../api/client";
import type { Preset, ProjectDetail } from "../../api/schema";
import { fieldMessage } from "../../api/error";
import { sessionQuery } from "../../api/session";
import { Badge } from "../../components/badge";
import { Button, ButtonLink } from "../../components/button";
import { Choice, Fields, Form, Refusal, TextArea, TextField } from "../../components/form";
import { More } from "../../components/list";
import { OptionList } from "../../components/option-list";
import { Page, PageHeader, useTitle } from "../../components/page";
import { EmptyState, QueryView } from "../../components/query-view";
import { explained, Term } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { annotatorsNeeded, CleaningSelect, factsOf } from "../../domain/protocol";
import { countOf, formatCount } from "../../lib/numbers";
import styles from "./new-project-page.module.css";
import { RestoreSection } from "./restore-section";

const POOLINGS = [
  {
    value: "normalized",
    name: "If they differ only in capital letters, punctuation or the words “a”, “an” and “the” (recommended)",
  },
  { value: "casefold", name: "If they differ only in capital letters" },
  { value: "exact", name: "Only if every character is the same" },
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
        <p>You need permission to create projects. Ask the administrator of this server.</p>
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
  const recommended = presets.data?.find(({ is_recommended }) => is_recommended) ?? presets.data?.[0];
  const chosen = preset ?? recommended?.key ?? "";
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
        lead="One study: questions, systems’ answers and the people who judge them."
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
        <QueryView query={presets}>
          {(list) => <PresetChoice presets={list} chosen={chosen} onChoose={setPreset} />}
        </QueryView>
        <More summary="More settings">
          <Fields>
            <TextArea label="Description (optional)" rows={2} value={description} onChange={setDescription} />
            <Choice
              label="When do two answers count as the same?"
              explains={explained("pooling")}
              hint="Matching answers to a question are judged as one. The result counts for every system that gave them."
              value={pooling}
              options={POOLINGS}
              onChange={setPooling}
            />
            <CleaningSelect value={cleaning} onChange={setCleaning} />
          </Fields>
        </More>
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
      <RestoreSection />
    </Page>
  );
}

interface PresetChoiceProps {
  readonly presets: readonly Preset[];
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}

/** How many people the protocol needs, and how many if the lead decides where they disagree. */
function inviteWords(spec: Preset["spec"]): string {
  const [needed, fewer] = [annotatorsNeeded(spec), Number(spec["raters_per_answer"])];
  const or = fewer < needed ? `, or ${formatCount(fewer)} if you settle their disagreements` : "";
  return `You do not judge yourself: invite ${countOf(needed, "person", "people")}${or}.`;
}

function PresetChoice({ presets, chosen, onChoose }: PresetChoiceProps) {
  const preset = presets.find(({ key }) => key === chosen);
  return (
    <OptionList
      label="What do you want to find out?"
      hint={`You can change it later. ${preset ? inviteWords(preset.spec) : ""}`}
      value={chosen}
      options={presets.map((preset) => ({
        value: preset.key,
        name: preset.goal,
        ...(preset.is_recommended && { mark: <Badge tone="accent">Recommended</Badge> }),
        words: preset.summary,
        more: (
          <More summary="Details">
            <Facts preset={preset} />
          </More>
        ),
      }))}
      onChange={onChoose}
    />
  );
}

function Facts({ preset }: { readonly preset: Preset }) {
  return (
    <span className={styles["facts"]}>
      <span>{preset.details}</span>
      <span>
        Sets the <Term name="protocol">protocol</Term> {preset.name}. Gold answers are answers known to be
        correct.
      </span>
      {factsOf(preset.spec).map((fact) => (
        <span key={fact.name}>
          <span className={styles["fact"]}>{fact.name}: </span>
          {fact.words}
        </span>
      ))}
    </span>
  );
}
