/** Makes a project: a name, a protocol in plain words, and when two answers are the same answer. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
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
import { annotatorsNeeded, asksMore, CleaningSelect, factsOf } from "../../domain/protocol";
import { FEWEST_RATERS } from "../../domain/rater-test";
import { countOf, formatCount } from "../../lib/numbers";
import styles from "./new-project-page.module.css";
import { RestoreSection } from "./restore-section";

const POOLINGS = [
  {
    value: "normalized",
    name: "If they differ only in capital letters, punctuation, or English articles (recommended)",
  },
  { value: "casefold", name: "If they differ only in capital letters" },
  { value: "exact", name: "Only if every character is the same" },
] as const;

/** Who decides where people disagree: as the protocol has it, or the lead. */
type TieBreak = "preset" | "lead";

/** Whether the lead decides: a protocol that asks nobody further leaves nothing to choose. */
function leadDecides(spec: Preset["spec"], tieBreak: TieBreak): boolean {
  return tieBreak === "lead" && asksMore(spec);
}

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
  const [key, setKey] = useState<string | null>(null);
  const [tieBreak, setTieBreak] = useState<TieBreak>("preset");
  const [pooling, setPooling] = useState<Pooling>("normalized");
  const [cleaning, setCleaning] = useState<ProjectDetail["cleaning"]>("none");
  const recommended = presets.data?.find(({ is_recommended }) => is_recommended) ?? presets.data?.[0];
  const { data: organizations = [] } = useQuery(read("/api/organizations"));
  const [organization, setOrganization] = useState<string | null>(null);
  // Whoever is in a single one most likely works for it.
  const owner = organization ?? (organizations.length === 1 ? organizations[0]?.slug : "") ?? "";
  const chosen = key ?? recommended?.key ?? "";
  const navigate = useNavigate();
  const preset = presets.data?.find((each) => each.key === chosen);
  const spec = preset?.spec;
  const decides = spec && leadDecides(spec, tieBreak) ? { tie_break: "lead" as const } : {};
  const body = {
    ...{ name: name.trim(), description: description.trim(), preset: chosen },
    ...{ pooling, cleaning, ...decides, ...(owner && { organization: owner }) },
  };
  const creation = useWrite(() => post("/api/projects", {}, body), {
    stale: [read("/api/projects").queryKey],
    onDone: (project) => navigate({ to: `/${project.slug}/import` as "/" }),
  });
  return (
    <Page width="reading">
      <PageHeader title="New project" />
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
        {organizations.length > 0 && (
          <Choice
            label="Organization"
            hint="The organization’s limits apply to the project. The organization’s members get no access to the project."
            value={owner}
            empty="None"
            options={organizations.map(({ slug, name: called }) => ({ value: slug, name: called }))}
            onChange={setOrganization}
          />
        )}
        <QueryView query={presets}>
          {(list) => (
            <PresetChoice
              presets={list}
              chosen={chosen}
              tieBreak={tieBreak}
              onChoose={setKey}
              onTieBreak={setTieBreak}
            />
          )}
        </QueryView>
        <More summary="More settings">
          <Fields>
            {preset?.is_recommended && <Facts preset={preset} tieBreak={tieBreak} />}
            <TextArea label="Description (optional)" rows={2} value={description} onChange={setDescription} />
            <Choice
              label="When do two answers count as the same?"
              explains={explained("pooling")}
              hint="Matching answers to a question are judged as one. The result counts for every system that gave one of them."
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
  readonly tieBreak: TieBreak;
  readonly onChoose: (key: string) => void;
  readonly onTieBreak: (tieBreak: TieBreak) => void;
}

function PresetChoice({ presets, chosen, tieBreak, onChoose, onTieBreak }: PresetChoiceProps) {
  const optionOf = (preset: Preset) => ({
    value: preset.key,
    name: preset.goal,
    ...(preset.is_recommended && { mark: <Badge tone="accent">Recommended</Badge> }),
    words: preset.summary,
    more: (
      <div className="fields">
        <People spec={preset.spec} tieBreak={tieBreak} onTieBreak={onTieBreak} />
        {!preset.is_recommended && (
          <More summary="Details">
            <Facts preset={preset} tieBreak={tieBreak} />
          </More>
        )}
      </div>
    ),
  });
  // Where one is recommended, the others need not be read.
  const recommended = presets.filter(({ is_recommended }) => is_recommended);
  const shown = recommended.length > 0 ? recommended : presets;
  const folded = presets.filter((preset) => !shown.includes(preset));
  return (
    <OptionList
      label="What do you want to find out?"
      hint="You can change this later."
      value={chosen}
      options={shown.map(optionOf)}
      folded={folded.map(optionOf)}
      foldedLabel="Other goals"
      onChange={onChoose}
    />
  );
}

interface PeopleProps {
  readonly spec: Preset["spec"];
  readonly tieBreak: TieBreak;
  readonly onTieBreak: (tieBreak: TieBreak) => void;
}

/** What a lead who counts people asks next. */
function whoJudges(spec: Preset["spec"]): string {
  return `Do not count yourself.${spec["gold_shown"] === true ? " Annotators see the gold answers." : ""}`;
}

/** What so many people can tell beyond the goal; fewer cannot. */
function testWords(people: number): string {
  return people < FEWEST_RATERS ? "" : " You can also test whether a judge can replace an annotator.";
}

/** How many people to invite, and whether the lead decides where they disagree, which needs fewer. */
function People({ spec, tieBreak, onTieBreak }: PeopleProps) {
  const group = useId();
  const needed = annotatorsNeeded(spec);
  if (!asksMore(spec))
    return (
      <p className="soft-regular">{`Invite ${countOf(needed, "person", "people")}. ${whoJudges(spec)}`}</p>
    );
  const fewer = Number(spec["raters_per_answer"]);
  const ways: readonly (readonly [TieBreak, string])[] = [
    [
      "preset",
      `Invite ${formatCount(needed)} people (recommended): ${formatCount(fewer)} judge each answer, and the other breaks ties.${testWords(needed)}`,
    ],
    [
      "lead",
      `Invite ${countOf(fewer, "person", "people")}: ${fewer === 1 ? "they judge" : "each judges"} every answer, and you break ties without seeing system names. You still see which system is best and which judge to trust.`,
    ],
  ];
  return (
    <fieldset className={styles["people"]}>
      <legend className="visually-hidden">People to invite</legend>
      {ways.map(([value, words]) => (
        <label key={value} className={styles["way"]}>
          <input type="radio" name={group} checked={value === tieBreak} onChange={() => onTieBreak(value)} />
          <span>{words}</span>
        </label>
      ))}
      <p className="soft-regular">{whoJudges(spec)}</p>
    </fieldset>
  );
}

interface FactsProps {
  readonly preset: Preset;
  readonly tieBreak: TieBreak;
}

function Facts({ preset, tieBreak }: FactsProps) {
  const spec = leadDecides(preset.spec, tieBreak) ? { ...preset.spec, tie_break: "lead" } : preset.spec;
  return (
    <span className={styles["facts"]}>
      <span>{preset.details}</span>
      <span>
        The <Term name="protocol">protocol</Term> is called “{preset.name}.” Gold answers are answers known to
        be correct.
      </span>
      {factsOf(spec).map((fact) => (
        <span key={fact.name}>
          <span className={styles["fact"]}>{fact.name}: </span>
          {fact.words}
        </span>
      ))}
    </span>
  );
}
