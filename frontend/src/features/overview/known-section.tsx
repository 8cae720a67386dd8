/** What is known by now: how far the work is, what is left of it, and the two numbers that matter. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Overview } from "../../api/schema";
import { useMayOpen, useProject } from "../../api/project";
import { intervalWords, makeFigure } from "../../components/figure";
import { Section } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { Stat } from "../../components/stat";
import { Term, TermsIn } from "../../components/term";
import { CORRECTED, isPartlyJudged, judgedOf } from "../../domain/judged";
import { countOf, formatCoefficient, formatCount, formatDifference } from "../../lib/numbers";
import { formatDuration } from "../../lib/time";
import styles from "./overview.module.css";
import { type Stage, StageBar } from "./stage-bar";
import { decidedOf, isAllDecided } from "./standing";

export function KnownSection({ overview }: { readonly overview: Overview }) {
  const { slug } = useProject();
  const mayOpen = useMayOpen();
  return (
    <Section title="Progress so far">
      <StageBar label="Answers at each stage" stages={stagesWithLinks(slug, overview.stages, mayOpen)} />
      {overview.stages.some(({ key, count }) => key === "judging" && count > 0) && (
        <p className="soft">
          The numbers count distinct answers. An answer is at the “Judging in progress” stage if at least one
          annotator has opened or judged it, but there are not enough votes to decide it.
        </p>
      )}
      <div className={styles["numbers"]}>
        <DecidedStat overview={overview} />
        {!isAllDecided(overview) && <LeftStat forecast={overview.forecast} />}
        <AgreementStat agreement={overview.agreement} />
        <MovementStat movement={overview.movement} why={overview.why_no_movement} />
      </div>
    </Section>
  );
}

/** Where a stage's answers can be looked at. */
const PAGE_OF_STAGE: Readonly<Record<string, string>> = { disputed: "queue" };

function stagesWithLinks(
  slug: string,
  stages: Overview["stages"],
  mayOpen: (page: string) => boolean,
): Stage[] {
  return stages.map((stage) => {
    const own = PAGE_OF_STAGE[stage.key];
    const page = own !== undefined && mayOpen(own) ? own : `answers?state=${stage.key}`;
    return { ...stage, href: `/${slug}/${page}` };
  });
}

function DecidedStat({ overview }: { readonly overview: Overview }) {
  const mayOpen = useMayOpen();
  const { answers, settled_by_programs: byPrograms, settled_with_programs: withPrograms } = overview;
  const decided = decidedOf(overview);
  return (
    <Stat name="Answers decided" value={`${formatCount(decided)} of ${formatCount(answers)}`}>
      <TermsIn
        text={settledWords(overview)}
        terms={{ verdicts: "verdict", "corrected scores": "corrected-score" }}
      />{" "}
      {byPrograms + withPrograms > 0 && mayOpen("prejudging") && (
        <ProjectLink page="prejudging">View pre-judging</ProjectLink>
      )}
    </Stat>
  );
}

/** Who decided what is decided. */
export function settledWords(
  overview: Pick<Overview, "stages" | "settled_by_programs" | "settled_with_programs">,
): string {
  const { settled_by_programs: byPrograms, settled_with_programs: withPrograms } = overview;
  const decided = decidedOf(overview);
  if (decided === 0) return "";
  const byPeople = decided - byPrograms - withPrograms;
  if (byPeople === decided) return "All by people.";
  const parts = [
    byPrograms > 0 && `${formatCount(byPrograms)} by automatic judges`,
    withPrograms > 0 && `${formatCount(withPrograms)} by one annotator in agreement with an automatic judge`,
    byPeople > 0 && `${formatCount(byPeople)} by people`,
  ].filter(Boolean);
  // Past the line above, programs had a part in it.
  return `${parts.join(", ")}. The automatic judges’ verdicts may differ from what people would decide. The intervals for corrected scores on the leaderboard account for this; those for other scores do not.`;
}

function LeftStat({ forecast }: Pick<Overview, "forecast">) {
  if (forecast === null)
    return (
      <Stat name="Work left" value="–">
        This estimate appears after annotators have judged long enough for Assay to measure their pace.
      </Stat>
    );
  return (
    <Stat name="Work left" value={formatDuration(forecast.seconds)}>
      of annotators’ time in total, at {countOf(Math.round(forecast.votes_per_hour), "answer")} per annotator
      per hour.
    </Stat>
  );
}

function AgreementStat({ agreement: { kappa, words } }: Pick<Overview, "agreement">) {
  if (kappa.value === null)
    return (
      <Stat name="Agreement among annotators" value="–">
        {words}
      </Stat>
    );
  const interval = intervalWords(kappa, formatCoefficient);
  return (
    <Stat name="Agreement among annotators" value={formatCoefficient(kappa.value)}>
      {interval && `${interval}. `}
      <TermsIn text={words} terms={{ "Fleiss’ κ": "fleiss-κ" }} />{" "}
      <ProjectLink page="agreement">View agreement</ProjectLink>
    </Stat>
  );
}

/** Whose score it is where people did not judge all that it is over. */
function basisWords(movement: NonNullable<Overview["movement"]>): string {
  if (movement.scope === "entire") return `, estimated from a random sample of ${judgedOf(movement)}`;
  if (movement.column === CORRECTED) return ", after correction by the audit of settled answers";
  return isPartlyJudged(movement) ? `, with ${judgedOf(movement)} judged so far` : "";
}

const GAIN = (
  <>
    <Term name="gain">Gain</Term> over exact match
  </>
);

/** Whose gain the number is, and what it is a gain of. */
function gainWords(movement: NonNullable<Overview["movement"]>): string {
  const basis = basisWords(movement);
  if (movement.largest_gain <= 0)
    return `No system has a higher score by people’s decisions than by exact match${basis}.`;
  return `${movement.label} gains the most from people’s decisions${basis}.`;
}

/** The leaderboard as it opens. */
const UNFILTERED = { part: "all", dataset: "", tag: "" } as const;

interface MovementStatProps extends Pick<Overview, "movement"> {
  /** Why there is none. */
  readonly why: string;
}

function MovementStat({ movement, why }: MovementStatProps) {
  const { slug } = useProject();
  const gains = useQuery({
    ...read(
      "/api/projects/{slug}/leaderboard",
      { slug },
      { scope: movement?.scope ?? "sample", ...UNFILTERED, compared: "exact_match" },
    ),
    enabled: movement !== null,
  });
  if (movement === null)
    return (
      <Stat name={GAIN} value="–">
        How much people’s decisions raise a system’s score. {why}
      </Stat>
    );
  // A number that tells more of the answers’ length than of amendment is no headline.
  if (movement.has_long_answers) return null;
  const row = gains.data?.rows.find(({ system }) => system === movement.system);
  const interval = intervalWords(row?.scores[movement.column]?.gain ?? makeFigure(null), formatDifference);
  return (
    <Stat name={GAIN} value={`${formatDifference(movement.largest_gain)} points`}>
      {interval && `${interval}. `}
      {gainWords(movement)} <ProjectLink page="leaderboard">View leaderboard</ProjectLink>
    </Stat>
  );
}
