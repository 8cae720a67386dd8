/** Which of the questions people judge: a step of its own after an import. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { FilterChoices, Import, Sample, SampleChangeRequest, Setup } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Choice, FieldRow, Form, Submit, TextField } from "../../components/form";
import { Notice } from "../../components/notice";
import { OptionList } from "../../components/option-list";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { explained, Term } from "../../components/term";
import { annotatorsToInvite } from "../../domain/annotators";
import { UnevenCoverage } from "../../domain/coverage";
import { AwaitingState } from "../../domain/first-step";
import { marginWords, useDraw, workWords } from "../../domain/sample";
import { capitalized } from "../../lib/lists";
import { countOf, formatCount, formatPoints } from "../../lib/numbers";
import { type Amount, LessWork } from "./less-work";

const ASK_AGAIN_AFTER = 700;

export function SamplePage() {
  const project = useProject();
  useTitle("Questions to judge", project.name);
  const { slug } = project;
  const imports = useQuery({
    ...read("/api/projects/{slug}/imports", { slug }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isBeingSaved) ? ASK_AGAIN_AFTER : false),
  });
  return (
    <Page width="reading">
      {imports.data === undefined && <PageHeader title={TITLE} />}
      <QueryView query={imports}>
        {(found) => (found.some(isBeingSaved) ? <BeingSaved /> : <Questions slug={slug} />)}
      </QueryView>
    </Page>
  );
}

/** What an import saves comes in parts: until it is done, the counts are of some of them. */
function isBeingSaved({ state }: Pick<Import, "state">): boolean {
  return state === "applying" || state === "undoing";
}

const TITLE = <Term name="judged-questions">Questions to judge</Term>;

function BeingSaved() {
  return (
    <>
      <PageHeader title={TITLE} />
      <Notice tone="info" title="An import is being saved">
        <p>You can choose the questions here when it is finished.</p>
      </Notice>
    </>
  );
}

function Questions({ slug }: { readonly slug: string }) {
  // Counted anew: what was read before an import is not all there is now.
  const fresh = { staleTime: 0 };
  const sample = useQuery({ ...read("/api/projects/{slug}/sample", { slug }), ...fresh });
  const setup = useQuery({ ...read("/api/projects/{slug}/setup", { slug }), ...fresh });
  const choices = useQuery({ ...read("/api/projects/{slug}/filters", { slug }), ...fresh });
  // What follows stands at the top, wherever the button was pressed.
  const draw = useDraw(slug, () => window.scrollTo(0, 0));
  const isChosen = draw.isSuccess || (sample.data !== undefined && sample.data.method !== "all");
  return (
    <>
      <PageHeader title={TITLE} lead={sample.data && leadOf(sample.data, setup.data)} />
      {isChosen && setup.data?.is_ready === false && <NextStep setup={setup.data} />}
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
                      // Another sample begins from what it is, and so does one of more questions.
                      key={JSON.stringify([found.method, found.options, found.questions])}
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
    </>
  );
}

function leadOf(sample: Sample, setup: Setup | undefined): string {
  // Until somebody has chosen, what people would judge is no news.
  if (sample.questions === 0 || sample.method === "all") return "";
  const now = `${capitalized(nowWords(sample))} selected.`;
  // What was counted for another choice is not said of this one.
  const isOfNow = setup?.sampled === sample.sampled && setup.sample_method === sample.method;
  return isOfNow ? `${now} ${countOf(setup.to_judge, "answer")} ${leftWords(sample)}.` : now;
}

function NothingImported() {
  return (
    <AwaitingState
      title="No questions yet"
      action={
        <ProjectButtonLink page="import" variant="primary">
          Import questions and answers
        </ProjectButtonLink>
      }
    >
      <p>After the import, choose the questions to judge.</p>
    </AwaitingState>
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
  /** Whether only questions that every system answered are drawn from. */
  readonly common: boolean;
}

function draftOf({ options }: Sample): Draft {
  return {
    size: String(options["size"] ?? 100),
    seed: String(options["seed"] ?? 1),
    dataset: String(options["dataset"] ?? ""),
    tag: String(options["tag"] ?? ""),
    common: options["common"] === true,
  };
}

function SampleForm({ draw, sample, setup, parts }: SampleFormProps) {
  const uneven = setup.coverage.behind > 0 && <UnevenCoverage {...setup} />;
  const [method, setMethod] = useState<Method>(
    // What is best to compare systems by is offered first, as long as nobody has chosen.
    uneven && sample.method === "all" && setup.coverage.common > 0 ? "common" : sample.method,
  );
  const isUneven = setup.coverage.behind > 0 && setup.coverage.common > 0;
  const [draft, setDraft] = useState(() => {
    const draft = draftOf(sample);
    return sample.method === "seed" ? draft : { ...draft, common: isUneven };
  });
  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  const [isSampled, setSampled] = useState(false);
  const sampleSo = (questions: number) => {
    setMethod("seed");
    change({ size: String(questions) });
    setSampled(true);
  };
  const more = { draft, change, parts, common: isUneven || draft.common ? setup.coverage.common : 0 };
  const isOfNow = isSaved(method, draft, sample);
  const isUnchosen = isUneven && sample.method === "all";
  // All questions are to be chosen, too, by whoever has not chosen yet, until people judge them.
  const isUnconfirmed = sample.method === "all" && sample.judged === 0 && !draw.isSuccess;
  // These need to be read; the others are folded.
  const isInSight = ({ value }: { readonly value: Method }) =>
    value === (isUneven ? "common" : "all") ||
    (value === sample.method && !isUnchosen) ||
    (value === "seed" && (isSampled || (!isUneven && sample.method === "all")));
  const options = waysOf(sample, setup, parts, draft).map((way) => ({
    ...way,
    ...(way.value === sample.method && currentOf(way)),
    ...(isUnchosen && way.value === "common" && { mark: <Badge tone="accent">Recommended</Badge> }),
    ...(way.value === "seed" && { more: <RandomFields {...more} /> }),
    ...(way.value === "filter" && { more: <PartFields draft={draft} change={change} parts={parts} /> }),
  }));
  return (
    <>
      {isUnchosen && <p>{uneven}</p>}
      {uneven && !isUnchosen && sample.method !== "common" && setup.coverage.uneven > 0 && (
        <Notice tone="warning" title={uneven}>
          <p>To compare all systems on the same questions, judge those that every system answered.</p>
        </Notice>
      )}
      <Form onSubmit={() => draw.mutate(bodyOf(method, draft))}>
        <OptionList
          label="Selection"
          hint="Times assume 30 seconds for each answer."
          value={method}
          options={options.filter(isInSight)}
          folded={options.filter((option) => !isInSight(option))}
          foldedLabel="Other ways to choose questions"
          onChange={setMethod}
        />
        <LessWork setup={setup} amount={amountOf(method, draft, sample, setup)} onSample={sampleSo} />
        {!isElsewhere(method) && (!isOfNow || isUnconfirmed) && (
          <div className="row-centered">
            <Submit write={draw} variant="primary">
              Use these questions
            </Submit>
            {!isOfNow && sample.method !== "all" && (
              <p className="soft-regular">{`Not saved yet. People still judge answers to ${nowWords(sample)}.`}</p>
            )}
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
      title={
        count > 0 ? "Next, invite people to judge." : "The answers to these questions are ready to judge."
      }
      actions={
        <>
          {count > 0 && (
            <ProjectButtonLink page="people" search={{ invite: count }} variant="primary" size="small">
              {`Invite ${countOf(count, "annotator")}`}
            </ProjectButtonLink>
          )}
          {count > 0 && (
            <ProjectButtonLink page="protocol" size="small">
              See their guidelines
            </ProjectButtonLink>
          )}
          {count === 0 && (
            <ProjectButtonLink page="overview" variant="primary" size="small">
              Go to overview
            </ProjectButtonLink>
          )}
        </>
      }
    >
      {count > 0 && <p>Guidelines for them are ready. You can change them on the Protocol page.</p>}
    </Notice>
  );
}

/** Ways that this page cannot draw by; it shows the one in force. */
const ELSEWHERE = { strata: "Planned sample", questions: "Selected questions" } as const;

type Elsewhere = keyof typeof ELSEWHERE;

function isElsewhere(method: Method): method is Elsewhere {
  return method in ELSEWHERE;
}

function nowWords({ sampled, questions }: Sample): string {
  if (sampled === questions) return `all ${countOf(questions, "question")}`;
  return `${formatCount(sampled)} of ${countOf(questions, "question")}`;
}

/** How the way by which people judge already differs from the others. */
function currentOf({ value, words }: { readonly value: Method; readonly words: string }) {
  return value === "all"
    ? { words: `${words} People judge these unless you choose others.` }
    : { mark: <Badge>Selected</Badge> };
}

/** Whether the choice on the page is the one that people judge by. */
function isSaved(method: Method, draft: Draft, sample: Sample): boolean {
  const now = bodyOf(sample.method, draftOf(sample));
  return JSON.stringify(bodyOf(method, draft)) === JSON.stringify(now);
}

/** What a choice comes to; null where that is not known before it is saved. */
export function amountOf(method: Method, draft: Draft, sample: Sample, setup: Setup): Amount | null {
  const { to_judge: answers, matching, questions } = sample;
  const { common } = setup.coverage;
  const of = (count: number, key: keyof typeof answers): Amount => ({
    questions: count,
    answers: answers[key],
    matching: matching && matching[key],
  });
  if (method === "all") return of(questions, "every");
  if (method === "common") return of(common, "common");
  if (method === "votes") return of(sample.judged, "judged");
  const size = Number(draft.size);
  const pool = draft.common ? of(common, "common") : of(questions, "every");
  const isOfPart = draft.dataset !== "" || draft.tag !== "";
  if (isSaved(method, draft, sample) && setup.sampled === sample.sampled) return savedAmount(sample, setup);
  if (method !== "seed" || isOfPart || !Number.isInteger(size) || size < 1 || size > pool.questions)
    return null;
  const part = (count: number) => Math.round((count * size) / pool.questions);
  return {
    questions: size,
    answers: part(pool.answers),
    matching: pool.matching === null ? null : part(pool.matching),
  };
}

/** What is left of the questions that people judge now, taken to match gold answers as often as all do. */
function savedAmount(
  { sampled, to_judge: { every }, matching }: Sample,
  { to_judge: answers }: Setup,
): Amount {
  const share = matching && every > 0 ? matching.every / every : 0;
  return { questions: sampled, answers, matching: matching && Math.round(share * answers) };
}

/** How many questions a choice takes, how many answers people would judge for it, and how long that takes. */
function amountWords(questions: number, answers: number, sample: Sample, setup: Setup): string {
  const time = workWords(answers, setup);
  return `${countOf(questions, "question")} with ${countOf(answers, "answer")} ${leftWords(sample)}${time && `: ${time}`}.`;
}

/** Nothing is left of what nobody has begun. */
function leftWords({ judged }: Sample): string {
  return judged > 0 ? "left to judge" : "to judge";
}

/** What so many questions come to, of which each is as likely as any other. */
function estimateWords(
  size: number,
  questions: number,
  answers: number,
  sample: Sample,
  setup: Setup,
): string {
  if (!Number.isInteger(size) || size < 1 || size > questions) return "";
  const drawn = Math.round((answers * size) / questions);
  const time = workWords(drawn, setup);
  return ` ${countOf(size, "question")} would have about ${countOf(drawn, "answer")} ${leftWords(sample)}${time && `: ${time}`}.`;
}

function randomWords(sample: Sample, setup: Setup, draft: Draft): string {
  const { questions, to_judge: answers } = sample;
  const { common, behind } = setup.coverage;
  const size = Number(draft.size);
  const margin = (draft.common || behind === 0) && size <= questions ? ` ${marginWords(size)}` : "";
  const estimate = draft.common
    ? `From the ${countOf(common, "question")} answered by all systems.${estimateWords(size, common, answers.common, sample, setup)}`
    : `Scores are estimates for all questions.${estimateWords(size, questions, answers.every, sample, setup)}`;
  return `${estimate}${margin}`.trim();
}

function waysOf(sample: Sample, setup: Setup, { datasets, tags }: FilterChoices, draft: Draft) {
  const { to_judge: answers } = sample;
  const { coverage } = setup;
  const hasParts = datasets.length + tags.length > 0;
  const ways: { readonly value: Method; readonly name: string; readonly words: string }[] = [
    {
      value: "all",
      name: "All questions",
      words: amountWords(sample.questions, answers.every, sample, setup),
    },
  ];
  if (coverage.systems > 1 && coverage.common > 0)
    ways.push({
      value: "common",
      name: "Questions that every system answered",
      words: `${coverage.behind > 0 ? "Compares all systems fairly. " : ""}${amountWords(coverage.common, answers.common, sample, setup)} ${marginWords(coverage.common)}`,
    });
  ways.push({
    value: "seed",
    name: "Random sample",
    words: hasParts ? "From all questions, one data set, or one tag." : randomWords(sample, setup, draft),
  });
  if (sample.judged > 0)
    ways.push({
      value: "votes",
      name: "Questions with votes",
      words: `${countOf(sample.judged, "question")} with human votes or decisions; ${countOf(answers.judged, "answer is", "answers are")} left to judge.`,
    });
  if (hasParts)
    ways.push({
      value: "filter",
      name: "Data set or tag",
      words: "All questions in one data set or with one tag.",
    });
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
  if (method === "questions")
    return "These questions were selected one by one. To replace them, choose another option.";
  const points = options["points"];
  const goal = typeof points === "number" ? ` for scores within ±${formatPoints(points / 100)} points` : "";
  return `The leaderboard’s planner sampled these ${countOf(sampled, "question")}${goal}. Questions on which the judge was unsure were more likely to be sampled. Corrected scores are weighted by the inverse of each question’s sampling probability. To replace the sample, choose another option.`;
}

function bodyOf(method: Method, { size, seed, dataset, tag, common }: Draft): SampleChangeRequest {
  if (method === "seed")
    return { method, size: Number(size), seed: Number(seed), dataset, tag, ...(common && { common }) };
  return method === "filter" ? { method, dataset, tag } : { method };
}

interface FieldsProps {
  readonly draft: Draft;
  readonly change: (changed: Partial<Draft>) => void;
  readonly parts: FilterChoices;
}

interface RandomFieldsProps extends FieldsProps {
  /** How many questions every system answered, where one may draw from these alone; else 0. */
  readonly common: number;
}

const DRAWN_FROM = [
  { value: "common", name: "Questions that every system answered" },
  { value: "all", name: "All questions" },
] as const;

function RandomFields({ draft, change, parts, common }: RandomFieldsProps) {
  const isOfPart = draft.dataset !== "" || draft.tag !== "" || draft.common;
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
          explains={explained("seed")}
          hint="The same seed always gives the same sample."
          inputMode="numeric"
          value={draft.seed}
          onChange={(seed) => change({ seed })}
        />
      </FieldRow>
      {common > 0 && (
        <Choice
          label="Sample from"
          value={draft.common ? "common" : "all"}
          options={DRAWN_FROM}
          onChange={(from) => change({ common: from === "common" })}
        />
      )}
      <PartFields draft={draft} change={change} parts={parts} />
      {isOfPart && <p className="soft">Scores from this sample do not apply to other questions.</p>}
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
