/** Which judge can be trusted where: every judge beside people, its scores, and judges beside each other. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import type { JudgeBoardRow } from "../../../api/schema";
import { JUDGE_MEASURES } from "../../../api/figures";
import { useMayOpen, useProject } from "../../../api/project";
import { figureIn } from "../../../components/figure";
import { FoldedSection } from "../../../components/folded-section";
import { Notice } from "../../../components/notice";
import { Page, PageHeader, Section, useTitle } from "../../../components/page";
import { ProjectButtonLink } from "../../../components/project-link";
import { QueryView } from "../../../components/query-view";
import { SegmentedControl } from "../../../components/segmented-control";
import { hasLlm, JudgesToCompare, LlmJudgeOffer, TrustCriterion } from "../../../domain/known-judges";
import { FewNotice } from "../../../domain/few-notice";
import { AwaitingState } from "../../../domain/first-step";
import { useIntervals } from "../../../domain/intervals";
import { ReferenceScores } from "../../../domain/reference-scores";
import { InvitationsAwaited, TooFewToReplace, useSetup, VotesStep } from "../../../domain/votes-awaited";
import { capitalized } from "../../../lib/lists";
import { countOf, FEW, formatCoefficient, formatPercent } from "../../../lib/numbers";
import { type SearchState, useSearchState } from "../../../lib/search-state";
import { rowsOf, Soft } from "../beside-columns";
import styles from "./board.module.css";
import { BoardTable } from "./board-table";
import { CautionsSection } from "./cautions-section";
import { JudgeDifferencesSection, JudgePairsSection } from "./pairs-section";
import { PartsSection } from "./parts-section";
import { ReplacementSection } from "./replacement-section";
import { votesWords } from "./replacement-words";
import { ScoresSection } from "./scores-section";
import { StrategiesSection, usePublishedPrompts } from "./strategies";

export function JudgeBoardPage() {
  const project = useProject();
  useTitle("Judges compared with people", project.name);
  const judges = useSetup()?.judges ?? [];
  const search = useSearchState();
  const common = search.read("answers") === "common";
  const { query, computing } = useIntervals((intervals) =>
    read("/api/projects/{slug}/judge-board", { slug: project.slug }, { common, intervals }),
  );
  return (
    <Page>
      <PageHeader title="Judges compared with people" lead={query.data && headline(query.data)} />
      <QueryView query={query}>
        {(rows) =>
          rows.length === 0 && !common ? (
            <AwaitingState
              title="No comparison with people yet"
              action={<VotesStep as={ProjectButtonLink} />}
            >
              <p>
                The comparison appears as soon as people have decided answers. <TrustCriterion isAhead />
              </p>
              <InvitationsAwaited />
              <JudgesToCompare judges={judges} />
              <TooFewToReplace />
            </AwaitingState>
          ) : (
            <Board
              slug={project.slug}
              rows={rows}
              isComputing={computing.isPending}
              common={common}
              write={search.write}
            />
          )
        }
      </QueryView>
      <ReferenceScores subject="judge" measures={JUDGE_MEASURES} />
    </Page>
  );
}

const agreementOf = ({ figures }: JudgeBoardRow) => figureIn(figures, "accuracy_all").value;

function headline(rows: readonly JudgeBoardRow[]): string | undefined {
  // One that was told what people decided agrees with them by itself.
  const judges = rows.filter((row) => row.kind === "judge" && !row.is_told && agreementOf(row) !== null);
  if (judges.length === 0) return undefined;
  const [best, second] = judges
    .filter((row) => rowsOf(row) >= FEW)
    .toSorted((left, right) => (agreementOf(right) ?? 0) - (agreementOf(left) ?? 0));
  if (!best)
    return `People have decided ${countOf(mostOf(judges), "answer")}. That is too few to tell which judge agrees with them most.`;
  if (judges.length > 1 && judges.every((row) => agreementOf(row) === agreementOf(best)))
    return `Each of the ${countOf(judges.length, "judge")} agrees with people’s decisions on ${formatPercent(agreementOf(best))} of the answers.`;
  // Of what programs settled nobody has checked anything: what is left is what they found hard.
  if (best.left_out > 0)
    return `Automatic judges settled ${countOf(best.left_out, "answer")} that people have not checked, so agreement on all answers is unknown.`;
  // Which of two judges agrees more is for the test on this page to say.
  const next = second
    ? ` and ${second.name} on ${formatPercent(agreementOf(second))}. The section “Which judge agrees more with people” has a significance test`
    : "";
  const nearest = `${best.name} agrees with people’s decisions on ${formatPercent(agreementOf(best))} of the answers${next}`;
  const error = figureIn(best.figures, "error_multiple").value;
  if (error === null) return `${nearest}.`;
  // The two errors are not of one measure, which the sentence has to say.
  const judge = `${best.name} differs from people’s decisions`;
  const rater = "one annotator’s vote differs from the other annotators’ votes";
  if (error === 0) return `${nearest}.`;
  // "A tenth of the times" is read twice: the larger of the two comes first.
  return error < 1
    ? `${nearest}. ${capitalized(rater)} ${formatCoefficient(1 / error, 1)} times as often as ${judge}.`
    : `${nearest}. ${judge} ${formatCoefficient(error, 1)} times as often as ${rater}.`;
}

function mostOf(rows: readonly JudgeBoardRow[]): number {
  return Math.max(...rows.map(rowsOf));
}

interface BoardProps {
  readonly slug: string;
  readonly rows: readonly JudgeBoardRow[];
  /** Whether their intervals are still to come. */
  readonly isComputing: boolean;
  readonly common: boolean;
  readonly write: SearchState["write"];
}

function Board({ slug, rows, isComputing, common, write }: BoardProps) {
  if (rows.length === 0) return <CommonChoice rows={rows} common={common} write={write} />;
  // Rows of people count votes, and an answer has several.
  const judges = rows.filter(({ kind }) => kind === "judge");
  return (
    <>
      <CommonChoice rows={rows} common={common} write={write} />
      <FewNotice
        count={mostOf(judges.length > 0 ? judges : rows)}
        thing={judges.length > 0 ? "answer" : "vote"}
        figures="Statistics and intervals"
      />
      <Section title="Judges">
        <Soft>
          Judges’ statistics count each distinct answer once, no matter how many systems gave it. Systems’
          scores count questions. Intervals apply to this study’s annotators and to answers like these, not to
          other kinds of questions.
        </Soft>
        <Soft>
          To choose a judge, look at the column “Agrees with people” first. <TrustCriterion />
        </Soft>
        <BoardTable rows={rows} isComputing={isComputing} />
        {cautionsOf(rows).map((caution) => (
          <Notice key={caution} tone="info">
            <p>{caution}</p>
          </Notice>
        ))}
      </Section>
      {judges.length > 0 && <Parts slug={slug} rows={rows} judges={judges} common={common} />}
    </>
  );
}

interface PartsProps extends Pick<BoardProps, "slug" | "rows" | "common"> {
  readonly judges: readonly JudgeBoardRow[];
}

/** Each annotator has a row beside that of all. */
function ratersOf(rows: readonly JudgeBoardRow[]): number {
  return rows.filter(({ key }) => key.startsWith("another_human:")).length;
}

/** Only what has something to show. */
function Parts({ slug, rows, judges, common }: PartsProps) {
  return (
    <>
      <FoldedSection
        name="replacement"
        title="Which judge may replace an annotator"
        about={`Whether a judge agrees with your annotators about as well as an annotator does (alternative annotator test). ${votesWords({ raters: ratersOf(rows), tie_breakers: 0 }) ?? ""}`.trim()}
        keys={["epsilon"]}
      >
        <ReplacementSection slug={slug} />
      </FoldedSection>
      <FoldedSection
        name="cautions"
        title="Repeated runs and model families"
        about="How often a judge changes its verdicts when it runs again, and whether it favors systems of its own model family."
      >
        <CautionsSection slug={slug} />
      </FoldedSection>
      <FoldedSection
        name="breakdown"
        title="Breakdown"
        about="One statistic for each judge, broken down by system, answer length, question word, data set, or tag."
        keys={["by", "figure"]}
      >
        <PartsSection slug={slug} rows={rows} common={common} />
      </FoldedSection>
      {judges.some(({ has_scores }) => has_scores) && (
        <FoldedSection
          name="scores"
          title="Scores and thresholds"
          about="For judges that give scores: the effect of other thresholds, and whether probabilities are calibrated."
          keys={["judge"]}
        >
          <ScoresSection slug={slug} rows={rows} />
        </FoldedSection>
      )}
      <FoldedSection
        name="pairs"
        title="Pairs of judges"
        about="How often two judges (or a judge and people) agree, and on which answers they disagree."
      >
        <JudgePairsSection slug={slug} />
      </FoldedSection>
      {judges.length > 1 && (
        <FoldedSection
          name="differences"
          title="Which judge agrees more with people"
          about="Whether chance alone could explain the difference between two judges."
        >
          <JudgeDifferencesSection slug={slug} />
        </FoldedSection>
      )}
      <Prompts slug={slug} judges={judges} />
    </>
  );
}

const LLM = "judge:llm|";

function Prompts({ slug, judges }: Pick<PartsProps, "slug" | "judges">) {
  const published = usePublishedPrompts();
  const mayOpen = useMayOpen();
  // Published prompts may still be on their way.
  const { isPending } = useQuery(read("/api/projects/{slug}/reference-scores", { slug }));
  if (published.length === 0 && !judges.some(({ signature }) => signature.startsWith(LLM)))
    return isPending || !mayOpen("runs/new") || hasLlm(judges.map(({ name }) => name)) ? null : (
      <Soft>
        <LlmJudgeOffer />
      </Soft>
    );
  return (
    <FoldedSection
      name="prompts"
      title="Prompts side by side"
      about="Accuracy and F1 of each prompt of the LLM judge, for all answers and by system."
    >
      <StrategiesSection slug={slug} />
    </FoldedSection>
  );
}

/** What has to be known of judges’ weights, once each. */
function cautionsOf(rows: readonly JudgeBoardRow[]): readonly string[] {
  return [...new Set(rows.map(({ caution }) => caution))].filter((caution) => caution !== "");
}

const CHOICES = [
  { value: "all", name: "All decided" },
  { value: "common", name: "Judged by all judges" },
] as const;

/** Over which answers judges stand beside people; nothing to choose where no judge left out an answer. */
function CommonChoice({ rows, common, write }: Omit<BoardProps, "slug" | "isComputing">) {
  const judges = rows.filter(({ kind }) => kind === "judge");
  if (!common && judges.every(({ counts }) => counts["unscored"] === 0)) return null;
  return (
    <div className={styles["choices"]}>
      <SegmentedControl
        label="Answers"
        value={common ? "common" : "all"}
        options={CHOICES}
        onChange={(next) => write({ answers: next === "all" ? undefined : next })}
      />
      {common && <Soft>{commonWords(judges[0])}</Soft>}
    </div>
  );
}

function commonWords(judge: JudgeBoardRow | undefined): string {
  if (!judge) return "No answer has been judged by all judges.";
  return `“Judges” and “Breakdown” cover only the ${countOf(rowsOf(judge), "answer")} that all judges have judged. Rankings, the lists of errors that open from the tables, and all other sections cover all answers.`;
}
