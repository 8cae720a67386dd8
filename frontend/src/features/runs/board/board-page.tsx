/** Which judge can be trusted where: every judge beside people, its scores, and judges beside each other. */
import { read } from "../../../api/client";
import type { JudgeBoardRow } from "../../../api/schema";
import { JUDGE_MEASURES } from "../../../api/figures";
import { useProject } from "../../../api/project";
import { figureIn } from "../../../components/figure";
import { Page, PageHeader, Section, useTitle } from "../../../components/page";
import { ProjectButtonLink } from "../../../components/project-link";
import { EmptyState, QueryView } from "../../../components/query-view";
import { SegmentedControl } from "../../../components/segmented-control";
import { FewNotice } from "../../../domain/few-notice";
import { useIntervals } from "../../../domain/intervals";
import { ReferenceScores } from "../../../domain/reference-scores";
import { countOf, FEW, formatCoefficient, formatPercent } from "../../../lib/numbers";
import { type SearchState, useSearchState } from "../../../lib/search-state";
import { rowsOf, Soft } from "../beside-columns";
import styles from "./board.module.css";
import { BoardTable } from "./board-table";
import { CautionsSection } from "./cautions-section";
import { JudgeDifferencesSection, JudgePairsSection } from "./pairs-section";
import { PartsSection } from "./parts-section";
import { ReplacementSection } from "./replacement-section";
import { ScoresSection } from "./scores-section";
import { StrategiesSection } from "./strategies";

export function JudgeBoardPage() {
  const project = useProject();
  useTitle("Judges against people", project.name);
  const search = useSearchState();
  const common = search.read("answers") === "common";
  const { query, computing } = useIntervals((intervals) =>
    read("/api/projects/{slug}/judge-board", { slug: project.slug }, { common, intervals }),
  );
  return (
    <Page>
      <PageHeader title="Judges against people" lead={query.data && headline(query.data)} />
      <QueryView query={query}>
        {(rows) =>
          rows.length === 0 && !common ? (
            <EmptyState
              title="Judges will be compared with people here"
              action={<ProjectButtonLink page="runs">See the runs of judges</ProjectButtonLink>}
            >
              <p>It needs answers that people have decided and a judge has judged.</p>
            </EmptyState>
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
  const judges = rows.filter((row) => row.kind === "judge" && agreementOf(row) !== null);
  if (judges.length === 0) return undefined;
  const [best, second] = judges
    .filter((row) => rowsOf(row) >= FEW)
    .toSorted((left, right) => (agreementOf(right) ?? 0) - (agreementOf(left) ?? 0));
  if (!best)
    return `${countOf(mostOf(judges), "answer")} decided by people: too few to say which judge agrees most with them.`;
  if (judges.length > 1 && judges.every((row) => agreementOf(row) === agreementOf(best)))
    return `All ${countOf(judges.length, "judge")} agree with people on ${formatPercent(agreementOf(best))} of the answers.`;
  // Of what programs settled nobody has checked anything: what is left is what they found hard.
  if (best.left_out > 0)
    return `Programs settled ${countOf(best.left_out, "answer")} that nobody has checked yet: nothing can be said of how judges agree with people on all answers.`;
  // Which of two judges agrees more is for the test on this page to say.
  const next = second
    ? `, ${second.name} on ${formatPercent(agreementOf(second))}: whether they differ is tested below`
    : "";
  const nearest = `${best.name} agrees with people on ${formatPercent(agreementOf(best))} of the answers${next}`;
  const error = figureIn(best.figures, "error_multiple").value;
  if (error === null) return `${nearest}.`;
  // The two errors are not of one measure, which the sentence has to say.
  const multiple = formatCoefficient(error, 1);
  return `${nearest}. ${best.name}’s error, against what was decided, is ${multiple} times another human’s, which is counted against one other rater.`;
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
        figures="Each figure and its interval"
      />
      <Section title="Each judge">
        <BoardTable rows={rows} isComputing={isComputing} />
      </Section>
      <Section title="Which judge may replace a person">
        <ReplacementSection slug={slug} />
      </Section>
      <Section title="Repeated runs and model families">
        <CautionsSection slug={slug} />
      </Section>
      <Section title="Breakdown">
        <PartsSection slug={slug} rows={rows} common={common} />
      </Section>
      <Section title="Scores and thresholds">
        <ScoresSection slug={slug} rows={rows} />
      </Section>
      <Section title="Pairs of judges">
        <JudgePairsSection slug={slug} />
      </Section>
      <Section title="Which judge agrees more with people">
        <JudgeDifferencesSection slug={slug} />
      </Section>
      <Section title="Prompts side by side">
        <StrategiesSection slug={slug} />
      </Section>
    </>
  );
}

const CHOICES = [
  { value: "all", name: "All decided" },
  { value: "common", name: "Judged by every judge" },
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
  if (!judge) return "There is no answer that every judge has judged.";
  return `Each judge and its parts are over the ${countOf(rowsOf(judge), "answer")} that every judge has judged. Rankings, scores, pairs and the lists behind errors stay those of all answers.`;
}
