/** What people, a judge and both together say of each system, and what of it is promised. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { CorrectedBoard } from "../../api/schema";
import { useProject } from "../../api/project";
import { columnOfFigure, type Figure, makeFigure, whyWords } from "../../components/figure";
import { Choice } from "../../components/form";
import { Section } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { type Column, numberColumn, Table } from "../../components/table";
import type { QuestionFilter } from "../../domain/question-filter";
import { t } from "../../lib/i18n/t";
import { listOf } from "../../lib/lists";
import { useSearchState } from "../../lib/search-state";

type Row = CorrectedBoard["rows"][number];

export function CorrectedSection({ filter }: { readonly filter: QuestionFilter }) {
  const { slug } = useProject();
  const query = useQuery(read("/api/projects/{slug}/leaderboard/corrected", { slug }, filter));
  if (query.data && !query.data.is_estimated) return null;
  return (
    <Section title="Corrected scores">
      <QueryView query={query}>{(board) => <Beside board={board} />}</QueryView>
    </Section>
  );
}

function Beside({ board }: { readonly board: CorrectedBoard }) {
  const search = useSearchState();
  const usable = board.judges.filter(({ why }) => why === null);
  const asked = search.read("corrected");
  const judge = usable.find(({ key }) => key === (asked ?? board.offered)) ?? usable[0];
  return (
    <>
      <p>{promiseWords(board)}</p>
      {judge && <p>{printWords(board, judge)}</p>}
      {judge && <p>{differenceWords(board, judge)}</p>}
      {usable.length > 1 && (
        <Choice
          label="Judge"
          value={judge?.key ?? ""}
          options={usable.map(({ key, name }) => ({ value: key, name }))}
          onChange={(key) => search.write({ corrected: key === board.offered ? undefined : key })}
        />
      )}
      <Table
        caption="Corrected scores, compared with people’s scores and a judge’s scores"
        rows={board.rows}
        rowKey={({ system }) => system}
        columns={columnsOf(judge?.key)}
        note={leftOutWords(board)}
        file={{ name: "corrected-scores", signature: board.signature, judges: judge ? [judge] : [] }}
      />
    </>
  );
}

/** What the corrected scores promise, and what they do not; or why there are none. */
export function promiseWords({ rows, judges }: Pick<CorrectedBoard, "rows" | "judges">): string {
  if (!judges.some(({ why }) => why === null))
    return t(
      "No judge has judged every answer yet, so the table shows only scores estimated from people’s labels.",
    );
  const known = rows.filter(({ people }) => people.value !== null);
  if (known.length === 0) {
    const [first] = rows;
    return `${t("There is no guarantee yet.")} ${(first && whyWords(first.people)) ?? ""}`.trim();
  }
  return t(
    "In 95 of 100 studies, the “Corrected” interval contains the score that the system would have if these people judged all its answers. This holds even if the judge often errs. The guarantee is about people’s labels, not the truth. It does not cover individual answers or the “Judge only” score. Each interval applies to one system. To say which systems differ, use the list of pairs, which is corrected for multiple tests.",
  );
}

/** When people’s labels alone and the corrected score differ enough to worry; empty before both are known.
 *
 * Both estimate the same score, and their difference varies no more than the score by labels alone, so it
 * stays within that score’s interval in 95 of 100 studies at least.
 */
export function differenceWords(
  { rows }: Pick<CorrectedBoard, "rows">,
  judge: { readonly key: string },
): string {
  const known = rows.flatMap(({ label, people: { low, high }, scores }) => {
    const value = scores[judge.key]?.corrected.value ?? null;
    return low === null || high === null || value === null
      ? []
      : [{ label, isApart: value < low || value > high }];
  });
  if (known.length === 0) return "";
  const apart = known.filter(({ isApart }) => isApart).map(({ label }) => label);
  const rule = t(
    "“People only, weighted” estimates the same score from the same labels without a judge. The two scores differ by chance, often by several points if people judged few of the answers. A corrected score outside the “People only, weighted” interval is a warning sign: by chance, this happens to at most 5 of 100 systems.",
  );
  const found =
    apart.length === 0
      ? t("No system here has such a score.")
      : t("Here, this applies to {systems}. Check how the answers that people judged were sampled.", {
          systems: listOf(apart),
        });
  return `${rule} ${found}`;
}

/** Which of the scores goes into print: the leaderboard’s own, so that nobody picks a judge by its scores. */
export function printWords(
  { judges, chosen, has_prejudged }: Pick<CorrectedBoard, "judges" | "chosen" | "has_prejudged">,
  judge: { readonly key: string },
): string {
  const leaders = judges.find(({ key }) => key === chosen);
  if (!leaders) {
    return has_prejudged
      ? t(
          "Report the leaderboard’s “Corrected by the audit” scores, which are corrected for errors in the labels that the rules assigned. This table corrects one judge’s verdicts, so its numbers differ slightly.",
        )
      : "";
  }
  if (leaders.key !== judge.key) {
    return t(
      "Report the scores corrected with {judge}, as on the leaderboard. Scores with other judges are for comparison only: if you choose a judge by its scores, the intervals are no longer valid.",
      { judge: leaders.name },
    );
  }
  return t("Report the “Corrected” score. It is the same as in the leaderboard’s “Corrected” column.");
}

/** Which judges cannot speak for what nobody saw, and why. */
function leftOutWords({ judges }: CorrectedBoard): string {
  return judges
    .filter(({ why }) => why !== null)
    .map(({ name, why }) => `${name}: ${whyWords({ why }) ?? ""}`)
    .join(" ");
}

const COUNTS: readonly Column<Row>[] = [
  {
    key: "system",
    header: "System",
    value: ({ label }) => label,
    csv: ({ system, label }) => ({ system, label }),
  },
  numberColumn("n", "Answers", ({ n }) => n),
  numberColumn("labels", "Labels", ({ labels }) => labels),
  columnOfFigure<Row>("people_only", ({ people }) => people),
];

function columnsOf(judge: string | undefined): readonly Column<Row>[] {
  if (judge === undefined) return COUNTS;
  const scoreOf = ({ scores }: Row) => scores[judge];
  const figure = (found: Figure | undefined) => found ?? makeFigure(null);
  return [
    ...COUNTS,
    columnOfFigure<Row>("judge_only", (row) => figure(scoreOf(row)?.judge)),
    columnOfFigure<Row>("corrected", (row) => figure(scoreOf(row)?.corrected)),
    numberColumn(
      "worth",
      "Labels needed for the same precision without a judge",
      (row) => scoreOf(row)?.worth,
    ),
  ];
}
