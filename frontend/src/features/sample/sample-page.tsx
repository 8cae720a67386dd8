/** Which of the questions people judge: a step of its own after an import. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { FilterChoices, Sample, SampleChangeRequest, Setup } from "../../api/schema";
import { useProject } from "../../api/project";
import { Choice, FieldRow, Form, Submit, TextField } from "../../components/form";
import { Notice } from "../../components/notice";
import { OptionList } from "../../components/option-list";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { EmptyState, QueryView } from "../../components/query-view";
import { annotatorsToInvite } from "../../domain/annotators";
import { coverageWords, useDraw } from "../../domain/sample";
import { countOf, formatCount, formatPoints } from "../../lib/numbers";

export function SamplePage() {
  const project = useProject();
  useTitle("Questions to judge", project.name);
  const { slug } = project;
  const sample = useQuery(read("/api/projects/{slug}/sample", { slug }));
  const setup = useQuery(read("/api/projects/{slug}/setup", { slug }));
  const choices = useQuery(read("/api/projects/{slug}/filters", { slug }));
  const draw = useDraw(slug);
  return (
    <Page width="reading">
      <PageHeader title="Questions to judge" lead={sample.data && leadOf(sample.data)} />
      <QueryView query={sample}>
        {(found) =>
          found.questions === 0 ? (
            <NothingImported />
          ) : (
            <QueryView query={setup}>
              {(standing) => (
                <QueryView query={choices}>
                  {(parts) => (
                    <SampleForm
                      // Another sample begins from what it is.
                      key={JSON.stringify([found.method, found.options])}
                      draw={draw}
                      sample={found}
                      setup={standing}
                      parts={parts}
                    />
                  )}
                </QueryView>
              )}
            </QueryView>
          )
        }
      </QueryView>
      {draw.isSuccess && setup.data?.is_ready === false && <NextStep setup={setup.data} />}
    </Page>
  );
}

function leadOf({ sampled, questions }: Sample): string {
  if (questions === 0) return "";
  return `People judge ${formatCount(sampled)} of ${countOf(questions, "question")}. Scores are given for these and for all.`;
}

function NothingImported() {
  return (
    <EmptyState
      title="There are no questions yet"
      action={
        <ProjectButtonLink page="import" variant="primary">
          Import questions and answers
        </ProjectButtonLink>
      }
    >
      <p>Once they are imported, you choose here which of them people judge.</p>
    </EmptyState>
  );
}

type Method = Sample["method"];

interface SampleFormProps {
  readonly draw: ReturnType<typeof useDraw>;
  readonly sample: Sample;
  readonly setup: Setup;
  readonly parts: FilterChoices;
}

interface Draft {
  readonly size: string;
  readonly seed: string;
  readonly dataset: string;
  readonly tag: string;
}

function draftOf({ options }: Sample): Draft {
  return {
    size: String(options["size"] ?? 100),
    seed: String(options["seed"] ?? 1),
    dataset: String(options["dataset"] ?? ""),
    tag: String(options["tag"] ?? ""),
  };
}

function SampleForm({ draw, sample, setup, parts }: SampleFormProps) {
  const [method, setMethod] = useState<Method>(sample.method);
  const [draft, setDraft] = useState(() => draftOf(sample));
  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  const more = { draft, change, parts };
  const options = waysOf(sample, setup, parts).map((way) => ({
    ...way,
    ...(way.value === "seed" && { more: <RandomFields {...more} /> }),
    ...(way.value === "filter" && { more: <PartFields {...more} /> }),
  }));
  const uneven = coverageWords(setup.coverage, setup.questions);
  return (
    <>
      {uneven && sample.method !== "common" && (
        <Notice tone="warning" title={uneven}>
          <p>
            A system is scored on the questions that it answered, so scores of systems that answered others
            are hard to compare.
          </p>
        </Notice>
      )}
      <Form onSubmit={() => draw.mutate(bodyOf(method, draft))}>
        <OptionList label="People judge" value={method} options={options} onChange={setMethod} />
        {!isElsewhere(method) && (
          <div className="row-centered">
            <Submit write={draw} variant={draw.isSuccess ? "secondary" : "primary"}>
              Use these questions
            </Submit>
          </div>
        )}
      </Form>
    </>
  );
}

function NextStep({ setup }: { readonly setup: Setup }) {
  const count = annotatorsToInvite(setup);
  return (
    <Notice
      tone="success"
      title={`${countOf(setup.to_judge, "answer is", "answers are")} ready to be judged`}
      actions={
        <>
          {count > 0 && (
            <ProjectButtonLink page="people" search={{ invite: count }} variant="primary" size="small">
              {`Invite ${countOf(count, "annotator")}`}
            </ProjectButtonLink>
          )}
          <ProjectButtonLink page="overview" size="small">
            Overview
          </ProjectButtonLink>
        </>
      }
    />
  );
}

/** Ways that this page cannot draw by; it shows the one in force. */
const ELSEWHERE = { strata: "Planned sample", questions: "Named questions" } as const;

type Elsewhere = keyof typeof ELSEWHERE;

function isElsewhere(method: Method): method is Elsewhere {
  return method in ELSEWHERE;
}

function waysOf(sample: Sample, { coverage }: Setup, { datasets, tags }: FilterChoices) {
  const hasParts = datasets.length + tags.length > 0;
  const ways: { readonly value: Method; readonly name: string; readonly words: string }[] = [
    { value: "all", name: "All questions", words: countOf(sample.questions, "question") },
  ];
  if (coverage.systems > 1 && coverage.common > 0)
    ways.push({
      value: "common",
      name: "Questions that every system answered",
      words: `${countOf(coverage.common, "question")}, on which all ${formatCount(coverage.systems)} systems can be compared`,
    });
  ways.push({
    value: "seed",
    name: "Random sample",
    words: hasParts
      ? "Of all questions, or of a data set or tag"
      : "Scores of the sample stand for all questions",
  });
  if (sample.judged > 0)
    ways.push({
      value: "votes",
      name: "Questions with votes",
      words: `${countOf(sample.judged, "question")} on which votes or decisions of people stand`,
    });
  if (hasParts) ways.push({ value: "filter", name: "Data set or tag", words: "All questions of one" });
  // Ways that no longer apply are shown while they are in force.
  if (isElsewhere(sample.method))
    ways.unshift({
      value: sample.method,
      name: ELSEWHERE[sample.method],
      words: elsewhereWords(sample.method, sample),
    });
  return ways;
}

/** How a sample was drawn that this page did not draw, and what follows from it. */
export function elsewhereWords(method: Elsewhere, { sampled, options }: Sample): string {
  if (method === "questions") return "They were named one by one. Choose another way to replace them.";
  const points = options["points"];
  const goal = typeof points === "number" ? ` for scores of ± ${formatPoints(points / 100)} points` : "";
  return `The leaderboard’s planner drew these ${countOf(sampled, "question")}${goal}, more of those where the judge is unsure. Each question’s probability is kept, and the corrected scores weigh by it. Choose another way to replace the sample.`;
}

function bodyOf(method: Method, { size, seed, dataset, tag }: Draft): SampleChangeRequest {
  if (method === "seed") return { method, size: Number(size), seed: Number(seed), dataset, tag };
  return method === "filter" ? { method, dataset, tag } : { method };
}

interface FieldsProps {
  readonly draft: Draft;
  readonly change: (changed: Partial<Draft>) => void;
  readonly parts: FilterChoices;
}

function RandomFields({ draft, change, parts }: FieldsProps) {
  const isOfPart = draft.dataset !== "" || draft.tag !== "";
  return (
    <div className="fields">
      <FieldRow>
        <TextField
          label="Number of questions"
          inputMode="numeric"
          value={draft.size}
          onChange={(size) => change({ size })}
        />
        <TextField
          label="Seed"
          hint="The same seed draws the same questions again."
          inputMode="numeric"
          value={draft.seed}
          onChange={(seed) => change({ seed })}
        />
      </FieldRow>
      <PartFields draft={draft} change={change} parts={parts} />
      {isOfPart && <p className="soft">Scores of such a sample say nothing about the other questions.</p>}
    </div>
  );
}

function PartFields({ draft, change, parts: { datasets, tags } }: FieldsProps) {
  if (datasets.length + tags.length === 0) return null;
  const same = (value: string) => ({ value, name: value });
  return (
    <FieldRow>
      {datasets.length > 0 && (
        <Choice
          label="Data set"
          value={draft.dataset}
          options={datasets.map(same)}
          empty="Any"
          onChange={(dataset) => change({ dataset })}
        />
      )}
      {tags.length > 0 && (
        <Choice
          label="Tag"
          value={draft.tag}
          options={tags.map(same)}
          empty="Any"
          onChange={(tag) => change({ tag })}
        />
      )}
    </FieldRow>
  );
}
