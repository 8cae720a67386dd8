/** What systems gain from one way of judging to another: by how many points, and how sure that is. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { columnOfFigure, explainedFigure, type Figure } from "../../components/figure";
import type { Column } from "../../components/table";
import type { QuestionFilter } from "../../domain/question-filter";

/** The board with the bounds of its ranks, and each score's gain over one of its columns, where one is named. */
export function useGains(filter: QuestionFilter & { readonly gold?: string }, from: string | undefined) {
  const { slug } = useProject();
  const asked = { ...filter, intervals: true, compared: from ?? "" };
  return useQuery({
    ...read("/api/projects/{slug}/leaderboard", { slug }, asked),
    enabled: from !== undefined,
  });
}

interface Computed {
  readonly isPending: boolean;
  readonly isError: boolean;
}

/** What stands beside a table of differences between scores of the same questions. */
export function rangesWords({ isPending, isError }: Computed): string {
  if (isPending) return "Computing intervals for differences…";
  if (isError) return "Intervals for differences could not be computed. Reload the page to try again.";
  return "Ranges are 95% intervals.";
}

/** The same where two scores may be of other questions. */
export function gainsWords(computed: Computed): string {
  const ranges = rangesWords(computed);
  if (computed.isPending || computed.isError) return ranges;
  return `${ranges} Differences cover only questions with both scores, so they may not match the scores shown.`;
}

/** A gain in points, or as a share of what it starts from; `header`: what it is a gain over, where it is told. */
export function gainColumn<Row>(
  name: "gain" | "relative",
  gainOf: (row: Row) => Figure,
  header?: string,
): Column<Row> {
  return columnOfFigure(name, gainOf, {
    key: name === "gain" ? "difference" : name,
    interval: "below",
    ...(header !== undefined && { header, explains: explainedFigure(name) }),
  });
}
