/** Where the study stands: what is done, who is at work, what needs a decision, the two numbers that matter. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "../../api/client";
import type { Overview } from "../../api/schema";
import { useProject } from "../../api/project";
import { intervalWords, makeFigure } from "../../components/figure";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { QueryView, Skeleton } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { Stat } from "../../components/stat";
import { type Column, Table } from "../../components/table";
import { CORRECTED, isPartlyJudged, judgedOf } from "../../domain/judged";
import { longAnswersRemark } from "../../domain/long-answers";
import { WorkerNotice } from "../../domain/worker-notice";
import { countOf, formatCoefficient, formatCount, formatDifference } from "../../lib/numbers";
import { formatDuration } from "../../lib/time";
import { Guide } from "./guide";
import styles from "./overview.module.css";
import { type Stage, StageBar } from "./stage-bar";

const ASK_AGAIN_AFTER = 15_000;

export function OverviewPage() {
  const project = useProject();
  useTitle("Overview", project.name);
  const query = useQuery({
    ...read("/api/projects/{slug}/overview", { slug: project.slug }),
    refetchInterval: ASK_AGAIN_AFTER,
  });
  const setup = useQuery({
    ...read("/api/projects/{slug}/setup", { slug: project.slug }),
    refetchInterval: ({ state }) => (state.data?.is_ready === false ? ASK_AGAIN_AFTER : false),
  });
  return (
    <Page>
      <PageHeader title="Overview" lead={query.data ? standingWords(query.data) : project.description} />
      {setup.data?.is_ready === false && <Guide setup={setup.data} />}
      <QueryView query={query} loading={<OverviewLoading />}>
        {(overview) =>
          // What there is none of is said by the guide.
          overview.questions + overview.left_out > 0 && <Standing slug={project.slug} overview={overview} />
        }
      </QueryView>
    </Page>
  );
}

function Standing({ slug, overview }: { readonly slug: string; readonly overview: Overview }) {
  return (
    <>
      <WorkerNotice waiting={!overview.worker_running} />
      <StageBar label="Answers in each stage" stages={stagesWithLinks(slug, overview.stages)} />
      <div className={styles["columns"]}>
        <Section title="Needs a decision now">
          <NeedsList slug={slug} needs={overview.needs} isDone={isAllDecided(overview)} />
        </Section>
        <Section title="Key figures">
          <TwoNumbers overview={overview} />
        </Section>
      </div>
      <Section title="People at work">
        <RaterTable overview={overview} />
      </Section>
    </>
  );
}

function OverviewLoading() {
  return (
    <>
      <Skeleton lines={2} height={1} />
      <div className={styles["columns"]}>
        <Skeleton lines={4} height={2} />
        <Skeleton lines={2} height={4} />
      </div>
      <Skeleton lines={5} />
    </>
  );
}

/** The leaderboard as it opens. */
const UNFILTERED = { part: "all", dataset: "", tag: "" } as const;

function TwoNumbers({ overview }: { readonly overview: Overview }) {
  return (
    <div className={styles["numbers"]}>
      <AgreementStat agreement={overview.agreement} />
      <MovementStat movement={overview.movement} />
    </div>
  );
}

function AgreementStat({ agreement }: Pick<Overview, "agreement">) {
  if (agreement === null) {
    return (
      <Stat name="Agreement of raters" value="–">
        Available once two raters have judged the same answers.
      </Stat>
    );
  }
  const interval = intervalWords(agreement.kappa, formatCoefficient);
  return (
    <Stat name="Agreement of raters" value={formatCoefficient(agreement.kappa.value)}>
      {interval && `${interval}. `}
      {agreement.words} <ProjectLink page="agreement">See agreement</ProjectLink>
    </Stat>
  );
}

/** Whose score it is where people did not judge all that it is over. */
function basisWords(movement: NonNullable<Overview["movement"]>): string {
  if (movement.scope === "entire") return `, estimated from ${judgedOf(movement)} drawn at random`;
  if (movement.column === CORRECTED) return ", corrected by the audit of what programs settled";
  return isPartlyJudged(movement) ? `, with ${judgedOf(movement)} judged so far` : "";
}

function MovementStat({ movement }: Pick<Overview, "movement">) {
  const { slug } = useProject();
  const gains = useQuery({
    ...read(
      "/api/projects/{slug}/leaderboard",
      { slug },
      { scope: movement?.scope ?? "sample", ...UNFILTERED, compared: "exact_match" },
    ),
    enabled: movement !== null,
  });
  if (movement === null) {
    return (
      <Stat name="Gain from human judgment" value="–">
        Available once people’s decisions have moved a score; where programs settled answers, once people have
        decided enough of the audit.
      </Stat>
    );
  }
  // A number that tells more of the answers' length than of amendment is no headline.
  if (movement.has_long_answers)
    return (
      <Stat name="Gain from human judgment" value="–">
        The largest step over exact match is that of {movement.label}. {longAnswersRemark(movement)}{" "}
        <ProjectLink page="leaderboard">See the leaderboard</ProjectLink>
      </Stat>
    );
  const row = gains.data?.rows.find(({ system }) => system === movement.system);
  const interval = intervalWords(row?.scores[movement.column]?.gain ?? makeFigure(null), formatDifference);
  return (
    <Stat name="Gain from human judgment" value={`${formatDifference(movement.largest_gain)} points`}>
      {interval && `${interval}. `}
      The largest gain over exact match, of {movement.label}
      {basisWords(movement)}. <ProjectLink page="leaderboard">See the leaderboard</ProjectLink>
    </Stat>
  );
}

interface NeedsListProps {
  readonly slug: string;
  readonly needs: Overview["needs"];
  /** Whether raters have nothing left to judge either. */
  readonly isDone: boolean;
}

/** The server names addresses of the pages with or without the project in front. */
function addressOf(slug: string, href: string): string {
  if (href.startsWith(`/${slug}/`)) return href;
  return `/${slug}/${href.replace(/^\//, "")}`;
}

function NeedsList({ slug, needs, isDone }: NeedsListProps) {
  const waiting = needs.filter(({ count }) => count > 0);
  if (waiting.length === 0)
    return (
      <p className={styles["nothing"]}>
        {isDone
          ? "Nothing needs a decision: every answer is decided."
          : "Nothing needs a decision. Raters can continue."}
      </p>
    );
  return (
    <ul className="ruled">
      {waiting.map((need) => (
        <li key={need.key}>
          <Link to={addressOf(slug, need.href) as "/"} className={styles["need"]}>
            <span className={styles["count"]}>{formatCount(need.count)}</span>
            <span>{need.text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Rater = Overview["raters"][number];

const COLUMNS: readonly Column<Rater>[] = [
  { key: "rater", header: "Rater", value: ({ name }) => name },
  { key: "name_in_exports", header: "Name in exports", value: ({ pseudonym }) => pseudonym },
  { key: "judged", header: "Answers judged", align: "end", value: ({ judged }) => judged },
  { key: "per_hour", header: "Answers an hour", align: "end", value: ({ per_hour }) => per_hour },
  {
    key: "last_seen",
    header: "Last judged",
    align: "end",
    cell: ({ last_seen: at }) => (at === null ? "not yet" : <RelativeTime at={at} />),
    value: ({ last_seen }) => last_seen,
  },
];

function RaterTable({ overview }: { readonly overview: Overview }) {
  if (overview.raters.length === 0) {
    return (
      <p>
        Nobody is judging yet. <ProjectLink page="people">Invite annotators by link</ProjectLink>; they need
        no account beforehand.
      </p>
    );
  }
  return (
    <Table
      folds
      caption="Raters, how much they have judged and how fast"
      columns={COLUMNS}
      rows={overview.raters}
      rowKey={(rater) => rater.pseudonym}
      initialSort={{ key: "judged", descending: true }}
      file={{ name: "people-at-work" }}
    />
  );
}

/** Where a stage's answers can be looked at. */
const PAGE_OF_STAGE: Readonly<Record<string, string>> = { disputed: "queue" };

function stagesWithLinks(slug: string, stages: Overview["stages"]): Stage[] {
  return stages.map((stage) => ({
    ...stage,
    href: `/${slug}/${PAGE_OF_STAGE[stage.key] ?? `answers?state=${stage.key}`}`,
  }));
}

/** The page's answer in one sentence. */
export function standingWords(overview: Overview): string {
  if (overview.answers === 0 && overview.left_out === 0) return "Nothing has been imported yet.";
  const size = `${countOf(overview.answers, "answer")} to ${questionsWords(overview)}`;
  const leftOut = `${unaskedWords(overview)}${leftOutWords(overview.left_out)}`;
  if (isAllDecided(overview)) return `All ${size} are decided.${leftOut}`;
  const rest = forecastWords(overview.forecast_seconds);
  return `${formatCount(decidedOf(overview))} of ${size} are decided${rest}.${leftOut}`;
}

/** Whether no answer is left that people could decide. */
function isAllDecided(overview: Overview): boolean {
  return decidedOf(overview) >= overview.answers;
}

function decidedOf({ stages }: Pick<Overview, "stages">): number {
  return stages.find(({ key }) => key === "decided")?.count ?? 0;
}

/** "301 of 3,610 questions" where nobody judges answers to the others. */
function questionsWords({ asked_questions, questions }: Overview): string {
  const all = countOf(questions, "question");
  return asked_questions < questions ? `${formatCount(asked_questions)} of ${all}` : all;
}

function unaskedWords({ asked_questions, questions }: Overview): string {
  return asked_questions < questions ? " The other questions have no answer for people to judge." : "";
}

function leftOutWords(count: number): string {
  return count === 0 ? "" : ` Raters took ${countOf(count, "question")} out of every score.`;
}

function forecastWords(seconds: number | null): string {
  return seconds === null ? "" : `; at this pace about ${formatDuration(seconds)} of work is left`;
}
