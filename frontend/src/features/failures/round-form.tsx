/** The form of a new round, which says at once how many items it would draw from. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ask, kept, keyOf, post, read } from "../../api/client";
import { messageOf } from "../../api/error";
import { useProject } from "../../api/project";
import type {
  RoundCreateRequest,
  RoundDetail,
  RoundFilterRequest,
  RoundItem,
  TaggableRun,
  TaggedItem,
  Tagging,
  TagSet,
} from "../../api/schema";
import {
  Checkbox,
  Choice,
  FieldRow,
  fieldsOf,
  Form,
  Several,
  Submit,
  TextField,
} from "../../components/form";
import { Notice } from "../../components/notice";
import { Page, PageHeader, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { explained } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { countOf } from "../../lib/numbers";
import { FLAGS, PEOPLE, PROPOSALS, SAID } from "./words";

export function NewRoundPage() {
  const project = useProject();
  useTitle("New tagging round", project.name);
  const sets = useQuery(read("/api/projects/{slug}/tag-sets", { slug: project.slug }));
  const rounds = useQuery(read("/api/projects/{slug}/tagging", { slug: project.slug }));
  return (
    <Page width="reading">
      <PageHeader title="New round" lead="Choose decided answers for people to tag." />
      <QueryView query={sets}>
        {(listed) => (
          <QueryView query={rounds}>
            {(overview) => <RoundFormView slug={project.slug} sets={listed} overview={overview} />}
          </QueryView>
        )}
      </QueryView>
    </Page>
  );
}

interface RoundFormProps {
  readonly slug: string;
  readonly sets: readonly TagSet[];
  readonly overview: Tagging;
}

function firstForm(sets: readonly TagSet[], { runs }: Tagging): Draft {
  const set = sets[0];
  const filter = usualFilter(set, runs);
  return {
    name: "",
    set: set?.key ?? "",
    filter,
    size: null,
    seed: "1",
    proposals: "none",
    connection: "",
    cap: "",
    taggers: [],
  };
}

export function RoundFormView({ slug, sets, overview }: RoundFormProps) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => firstForm(sets, overview));
  const change = (next: Partial<RoundForm>) => setDraft((before) => ({ ...before, ...next }));
  const population = usePopulation({ slug, set: draft.set, filter: draft.filter }).data?.population;
  const form: RoundForm = { ...draft, size: draft.size ?? usualSize(population) };
  const set = sets.find(({ key }) => key === form.set);
  const field = fieldsOf(form, change);
  const start = useWrite(() => post("/api/projects/{slug}/tagging", { slug }, requestOf(form)), {
    stale: [keyOf("/api/projects/{slug}/tagging", { slug })],
    onDone: ({ id }) => navigate({ to: `/${slug}/failures/${id}` as "/" }),
  });
  const isEmpty = population === 0;
  const isSized = form.size.trim() === "" || (wholeNumber(form.size) ?? 0) > 0;
  return (
    <Form
      onSubmit={() => {
        if (isSized && !isEmpty) start.mutate();
      }}
    >
      <Choice
        label="Tag set"
        explains={explained("tag-set")}
        hint={set?.summary}
        value={form.set}
        options={sets.map(({ key, name }) => ({ value: key, name }))}
        onChange={(value) => {
          const chosen = sets.find(({ key }) => key === value);
          change({ set: value, filter: usualFilter(chosen, overview.runs) });
        }}
      />
      <FilterFields
        slug={slug}
        runs={overview.runs}
        filter={form.filter}
        onChange={(filter) => change({ filter: { ...form.filter, ...filter } })}
      />
      <Population slug={slug} set={form.set} filter={form.filter} />
      <FieldRow>
        <TextField
          label="Sample size"
          hint="Leave empty to include all items."
          inputMode="numeric"
          {...field("size")}
          error={isSized ? null : "Enter a whole number above 0, or leave this field empty."}
        />
        <TextField
          label="Seed"
          explains={explained("seed")}
          hint="The same seed produces the same sample."
          inputMode="numeric"
          {...field("seed")}
        />
      </FieldRow>
      <ProposalFields slug={slug} form={form} onChange={change} />
      <Several
        isList
        legend="Taggers (choose none to include every lead and adjudicator)"
        options={overview.taggers.map(({ id, name }) => ({ value: id, name }))}
        chosen={form.taggers}
        onChange={(taggers) => change({ taggers })}
      />
      <TextField
        label="Name"
        hint="Leave empty to use the tag set’s name."
        maxLength={100}
        {...field("name")}
      />
      <Submit write={start} variant="primary" disabled={!isSized || isEmpty}>
        Create round
      </Submit>
    </Form>
  );
}

interface FilterFieldsProps {
  readonly slug: string;
  readonly runs: readonly TaggableRun[];
  readonly filter: RoundFilterRequest;
  readonly onChange: (changes: RoundFilterRequest) => void;
}

function FilterFields({ slug, runs, filter, onChange }: FilterFieldsProps) {
  const systems = useQuery(read("/api/projects/{slug}/systems", { slug }));
  const systemOptions = (systems.data ?? []).map(({ id, label }) => ({ value: id, name: label }));
  const runOptions = runs.map(({ id, name }) => ({ value: id, name }));
  return (
    <>
      <FieldRow columns={3}>
        <Choice
          label="People’s decision"
          value={filter.people}
          options={PEOPLE}
          onChange={(people) => onChange({ people })}
        />
        <Choice
          label="Judge"
          value={filter.run}
          options={runOptions}
          empty="No judge"
          onChange={(run) => onChange({ run, ...(run === "" && { said: "any" }) })}
        />
        <Choice
          label="Judge’s verdict"
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
          options={systemOptions}
          empty="Any"
          onChange={(system) => onChange({ system })}
        />
        <Choice
          label="Question flag"
          value={filter.flag}
          options={FLAGS}
          onChange={(flag) => onChange({ flag })}
        />
      </FieldRow>
      <Checkbox
        label="Only answers that match no gold answer"
        checked={filter.beyond_gold ?? false}
        onChange={(isOn) => onChange({ beyond_gold: isOn })}
      />
    </>
  );
}

interface ProposalFieldsProps {
  readonly slug: string;
  readonly form: RoundForm;
  readonly onChange: (next: Partial<RoundForm>) => void;
}

function ProposalFields({ slug, form, onChange }: ProposalFieldsProps) {
  const field = fieldsOf(form, onChange);
  const { data: models = [] } = useQuery(read("/api/projects/{slug}/connections", { slug }));
  return (
    <>
      <Choice
        label="Proposed tags"
        hint="People tend to agree with proposals they see. Hidden proposals are compared with people’s tags afterward."
        value={form.proposals}
        options={PROPOSALS}
        onChange={(proposals) => onChange({ proposals })}
      />
      {form.proposals !== "none" && (
        <FieldRow>
          <Choice
            label="Proposed by"
            hint="Rules use only the answer and its gold answers. A model reads every item, which may cost money."
            value={form.connection}
            options={models.map(({ id, name, model }) => ({ value: id, name: `${name} (${model})` }))}
            onChange={(connection) => onChange({ connection })}
            empty="Simple rules"
          />
          {form.connection !== "" && (
            <TextField
              label="Spending limit (USD)"
              hint="Leave empty to use only the connection’s limit."
              inputMode="decimal"
              {...field("cap")}
            />
          )}
        </FieldRow>
      )}
    </>
  );
}

interface RoundForm {
  readonly name: string;
  readonly set: string;
  readonly filter: RoundFilterRequest;
  readonly size: string;
  readonly seed: string;
  readonly proposals: NonNullable<RoundCreateRequest["proposals"]>;
  /** The connection of the model that proposes; empty where rules do. */
  readonly connection: string;
  /** What it may cost, in USD; empty for no limit. */
  readonly cap: string;
  readonly taggers: readonly string[];
}

/** As written so far; the size is null until somebody writes one, so that it follows what is available. */
type Draft = Omit<RoundForm, "size"> & { readonly size: string | null };

const USUAL_SIZE = 100;

/** No more than there is to draw from. */
function usualSize(population: number | undefined): string {
  return String(population ? Math.min(USUAL_SIZE, population) : USUAL_SIZE);
}

/** What a set of tags is made to explain; own sets begin with everything people decided. */
export function usualFilter(set: TagSet | undefined, runs: readonly TaggableRun[]): RoundFilterRequest {
  const exact = runs.find(({ name }) => name === "Exact match") ?? runs[0];
  if (set?.key === "kamalloo" && exact) return { people: "accept", run: exact.id, said: "rejects" };
  if (set?.key === "efficientqa") return { people: "accept_or_possibly", beyond_gold: true };
  if (set?.key === "evouna-answers") return { people: "reject" };
  if (set?.subject === "verdict") return { run: runs[0]?.id ?? "", said: "errs" };
  return {};
}

/** A whole number above nothing; anything else is none. */
function wholeNumber(text: string): number | null {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : null;
}

export function requestOf(form: RoundForm): RoundCreateRequest {
  return {
    name: form.name.trim(),
    set: form.set,
    filter: form.filter,
    size: wholeNumber(form.size),
    seed: wholeNumber(form.seed) ?? 1,
    proposals: form.proposals,
    connection: form.proposals === "none" ? "" : form.connection,
    spend_cap: form.proposals === "none" || form.connection === "" ? null : form.cap.trim() || null,
    taggers: [...form.taggers],
  };
}

/** The next item nobody has tagged, after this one and then from the start; none where all are. */
export function nextOpen(items: readonly RoundItem[], id: string): RoundItem | null {
  const place = items.findIndex((item) => item.id === id);
  const ahead = [...items.slice(place + 1), ...items.slice(0, Math.max(place, 0))];
  return ahead.find((item) => !item.is_done) ?? null;
}

export function neighborOf(items: readonly RoundItem[], id: string, step: 1 | -1): RoundItem | null {
  const place = items.findIndex((item) => item.id === id);
  return items[place + step] ?? null;
}

export function withTags(round: RoundDetail, tagged: TaggedItem): RoundDetail {
  const isDone = tagged.current !== null;
  const items = round.items.map((item) =>
    item.id === tagged.id ? { ...item, is_done: isDone, tags: tagged.current?.tags ?? [] } : item,
  );
  return { ...round, items, done: items.filter((item) => item.is_done).length };
}

interface PopulationProps {
  readonly slug: string;
  readonly set: string;
  readonly filter: RoundFilterRequest;
}

function usePopulation({ slug, set, filter }: PopulationProps) {
  return useQuery({
    ...kept(ask("/api/projects/{slug}/tagging/preview", { slug }, { set, filter })),
    retry: false,
  });
}

export function Population(drawn: PopulationProps) {
  const query = usePopulation(drawn);
  if (query.error) return <Notice tone="warning">{messageOf(query.error)}</Notice>;
  const population = query.data?.population;
  return (
    <p aria-live="polite">
      {population === undefined ? "Counting…" : `${countOf(population, "item")} available.`}
    </p>
  );
}
